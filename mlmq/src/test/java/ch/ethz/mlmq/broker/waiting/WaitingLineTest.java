package ch.ethz.mlmq.broker.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.IdleLink;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingLineTest {
    private static final MessageQuery QUERY = MessageQuery.queue(1).waiting(1_000);

    private final WaitingLine line = new WaitingLine();

    @Test
    void shouldCallNobodyWhoLooksForSomethingElse() {
        Exchange first = waits(QUERY);
        final Exchange second = waits(QUERY);
        final Exchange toMe = waits(QUERY.addressedToMe());
        final Exchange otherContext = waits(QUERY.withContext(8));
        Exchange sameContext = waits(QUERY.withContext(7));
        Exchange fromSomebody = waits(QUERY.from(3));
        List<Exchange> called = new ArrayList<>();

        line.callFor(called, exchange -> WaitingLine.mayWant(exchange, 7));

        assertThat(called).containsExactly(first, sameContext, fromSomebody);
        called.forEach(line::remove);
        List<Exchange> rest = new ArrayList<>();
        line.callAll(rest);
        assertThat(rest).containsExactly(second, otherContext, toMe);
    }

    private Exchange waits(MessageQuery query) {
        ClientConnection connection = IdleLink.connection();
        Exchange exchange = new Exchange(connection, 1, new Request.DequeueMessage(query), Exchange.Size.of(1),
                new Stages(false, 0, 0));
        line.add(exchange, false);
        return exchange;
    }
}
