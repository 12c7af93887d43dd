package ch.ethz.mlmq.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.audit.AuditLog;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.IdleLink;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.broker.waiting.WaitingRoom;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Storage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GateTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int WAIT_MILLIS = 20_000;

    private final Gate gate = new Gate(Limits.defaults(), new Presence(
            new WaitingRoom(Duration.ofSeconds(1), 1, exchange -> { }, exchange -> { })), PATIENCE,
            null, AuditLog.NONE);

    @Test
    void shouldRefuseARequestOnlyAfterItsPatience() {
        MessageQuery query = MessageQuery.queue(7);

        assertThat(answerAfter(PATIENCE, query)).isNull();
        assertThat(answerAfter(PATIENCE.plusMillis(1), query)).isInstanceOfSatisfying(Response.Failure.class,
                failure -> assertThat(failure.status()).isEqualTo(Status.OVERLOADED));
    }

    @Test
    void shouldNotRefuseARequestThatWaitsForARestingWorker() {
        assertThat(answerAfter(PATIENCE.multipliedBy(9), MessageQuery.queue(7).from(99))).isNull();
    }

    @Test
    void shouldNotRefuseAQueryWhileItsClientWaits() {
        MessageQuery query = MessageQuery.queue(7).waiting(WAIT_MILLIS);
        Duration longest = PATIENCE.plusMillis(WAIT_MILLIS);

        assertThat(answerAfter(longest, query)).isNull();
        assertThat(answerAfter(longest.plusMillis(1), query)).isNotNull();
    }

    private Response answerAfter(Duration waited, MessageQuery query) {
        ClientConnection connection = IdleLink.connection();
        connection.session().registered("alice", 1, new Response.Registered(1, 2, 1), new Storage.Session(1, 1));
        Stages stages = new Stages(false, 0, 0);
        stages.taken(waited.toNanos(), 1);
        return gate.answer(new Exchange(connection, 1, new Request.DequeueMessage(query), Exchange.Size.of(1), stages));
    }
}
