package ch.ethz.mlmq.broker.request;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnconfirmedTest {
    private static final int CONNECTIONS = 40;
    private static final int DELIVERIES = 4_096;

    /** Short messages that are never confirmed take many times their bytes from the heap. */
    @Test
    void shouldCountWhatTheDeliveriesThatItKeepsTakeFromTheHeap() throws Exception {
        MemoryBudget budget = new MemoryBudget(1L << 40);
        List<Unconfirmed> all = new ArrayList<>();
        long before = usedBytes();
        for (int i = 0; i < CONNECTIONS; i++) {
            ClientConnection connection = IdleLink.connection();
            Unconfirmed unconfirmed = new Unconfirmed(budget, 8 << 20);
            for (int j = 1; j <= DELIVERIES; j++) {
                Exchange exchange = new Exchange(connection, j, new Request.DequeueMessage(MessageQuery.queue(7)),
                        Exchange.Size.of(100), new Stages(false, 0, 0));
                exchange.answer(new Response.Delivery(new Message(j, 7, new Message.Envelope(1, 0, 5, 0, 0),
                        new Message.Delivery(1), new byte[1])));
                exchange.measureAnswer();
                unconfirmed.add(exchange);
            }
            all.add(unconfirmed);
        }
        long heap = usedBytes() - before;

        assertThat(all).hasSize(CONNECTIONS);
        assertThat(heap).as("bytes of the heap, of which " + budget.used() + " are counted")
                .isLessThan(2 * budget.used());
    }

    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
