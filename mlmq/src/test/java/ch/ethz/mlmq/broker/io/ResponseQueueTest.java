package ch.ethz.mlmq.broker.io;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.limits.Holdings;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseQueueTest {
    @Test
    void shouldHandToWhoeverPutsBackWhatNobodyGivesAnyMore() throws Exception {
        List<Exchange> tooLate = new ArrayList<>();
        ResponseQueue queue = new ResponseQueue(null, 10, 1_000, tooLate::add);
        Exchange exchange = new Exchange(new SocketLink(null, null, 8_192, new Holdings(), null).connection, 1,
                new Request.Echo(new byte[0]), Exchange.Size.of(1),
                new Stages(false, 0, 0));
        exchange.answer(new Response.Delivery(new Message(1, 2, new Message.Envelope(3, 0, 5, 0, 0),
                new Message.Delivery(1), new byte[0])));
        queue.offer(List.of(exchange));
        queue.close();
        List<Exchange> given = new ArrayList<>();
        queue.drainTo(given);
        assertThat(given).containsExactly(exchange);

        queue.offer(List.of(exchange));

        assertThat(tooLate).containsExactly(exchange);
        assertThat(queue.size()).isZero();
    }
}
