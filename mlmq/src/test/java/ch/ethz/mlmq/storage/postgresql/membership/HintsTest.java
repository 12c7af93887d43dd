package ch.ethz.mlmq.storage.postgresql.membership;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

class HintsTest {
    private static final int QUEUE = 5;
    private static final int ROUNDS = 20;

    @Test
    @Timeout(60)
    void shouldAnnounceOnceWhatIsAwaitedAgainAndAgain() throws Exception {
        try (TestDatabase database = new TestDatabase(); Connection other = database.address().connect();
                Statement statement = other.createStatement()) {
            statement.execute("LISTEN " + Hints.CHANNEL);
            Hints hints = new Hints(database.address(), new BrokerIdentity("a test", "nowhere"));
            Waiters waiters = new Waiters();
            hints.tell(waiters, (client, session, over) -> { });
            long begun = System.nanoTime();
            for (int i = 0; i < ROUNDS; i++) {
                hints.doWork();
            }
            hints.onClose();
            // What is awaited is announced again every five seconds.
            long times = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) / 5;

            PGNotification[] heard = other.unwrap(PGConnection.class).getNotifications(5_000);
            assertThat(heard).hasSizeBetween(1, (int) times);
            assertThat(heard).extracting(PGNotification::getParameter).allMatch(one -> one.endsWith(" " + QUEUE));
            assertThat(waiters.looks).as("second looks").isEqualTo(1);
        }
    }

    /** A request that waits for a message of a queue, and is executed again every other time. */
    private static final class Waiters implements Arrivals {
        private boolean waits;
        private int looks;

        @Override
        public void arrived(int queue, int receiver, long context) {
            // Nobody sends.
        }

        @Override
        public void signal(long key) {
            looks++;
        }

        @Override
        public Set<Long> awaited() {
            waits = !waits;
            return waits ? Set.of(Arrivals.queueKey(QUEUE)) : Set.of();
        }
    }
}
