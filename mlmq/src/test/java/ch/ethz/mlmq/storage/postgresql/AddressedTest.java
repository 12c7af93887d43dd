package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AddressedTest {
    /** Several workers of a broker learn at once that another broker has put a message with a receiver into a queue. */
    @Test
    void shouldNotFailATakeWhereSeveralLearnAtOnceThatAQueueHasReceivers() throws Exception {
        try (TestDatabase database = new TestDatabase(); StorageUser one = new StorageUser(database)) {
            List<Response> failures = new ArrayList<>();
            for (int round = 0; round < 150; round++) {
                int queue = one.queue();
                one.send(queue, 5, "known as a plain queue");
                one.take(queue);
                database.execute("UPDATE queue SET addressed = true WHERE id = " + queue);
                CyclicBarrier start = new CyclicBarrier(4);
                List<CompletableFuture<Response>> takes = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    takes.add(CompletableFuture.supplyAsync(() -> {
                        try {
                            start.await();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        return one.execute(new Request.DequeueMessage(MessageQuery.queue(queue)));
                    }, task -> new Thread(task).start()));
                }
                for (CompletableFuture<Response> take : takes) {
                    if (take.get() instanceof Response.Failure failure) {
                        failures.add(failure);
                    }
                }
            }
            assertThat(failures).isEmpty();
        }
    }
}
