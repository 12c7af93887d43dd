package ch.ethz.mlmq.storage.postgresql.length;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.SwallowingProxy;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.postgresql.membership.BrokerIdentity;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecountTest {
    private static final String WRONG = "SELECT count(*) FROM queue q LEFT JOIN queue_length l ON l.queue_id = q.id "
            + "WHERE l.messages IS DISTINCT FROM (SELECT count(*) FROM message m WHERE m.queue_id = q.id)";

    private static final BrokerIdentity IDENTITY = new BrokerIdentity("a test", "nowhere");

    private static final String LENGTH = "SELECT messages FROM queue_length WHERE queue_id = ";

    private final TestDatabase database = new TestDatabase();
    private Recount recount;
    private StorageUser user;

    @BeforeEach
    void start() throws Exception {
        recount = new Recount(database.address(), IDENTITY, 2);
        user = new StorageUser(database);
    }

    @AfterEach
    void close() {
        recount.onClose();
        user.close();
        database.close();
    }

    /** The database has stored the lengths, but its response is lost: the broker cannot know that, and counts again. */
    @Test
    void shouldNotWriteLengthsTwiceIfTheDatabasesResponseIsLost() throws Exception {
        try (TestDatabase database = new TestDatabase();
                SwallowingProxy network = new SwallowingProxy(database.address());
                StorageUser user = new StorageUser(database)) {
            int queue = user.queue();
            LengthLedger ledger = new LengthLedger();
            Lengths lengths = new Lengths(network.address(), ledger, () -> { });
            lengths.doWork();
            LengthLedger.Entry entry =
                    new LengthLedger.Entry(database.number("SELECT pg_current_xact_id()::text::bigint"));
            entry.change(queue, 1);
            ledger.add(entry);

            network.swallowAnswersTo("UPDATE queue_length");
            while (ledger.entries() > 0) {
                lengths.doWork();
                TimeUnit.MILLISECONDS.sleep(50);
            }

            assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + queue)).isEqualTo(1);
            lengths.onClose();
        }
    }

    @Test
    void shouldCountInStepsWhileMessagesComeAndGo() throws Exception {
        int full = user.queue();
        int other = user.queue();
        int empty = user.queue();
        fill(full);
        database.execute("UPDATE queue_length SET messages = 77");

        recount.soon();
        recount.doWork();
        int steps = 0;
        while (recount.isCounting()) {
            user.send(other, 5, "new");
            user.take(full);
            if (steps == 3) {
                database.execute("INSERT INTO queue (name) VALUES ('made meanwhile')");
            }
            if (steps++ % 3 == 0) {
                user.tellLengths();
            }
            recount.doWork();
        }
        user.tellLengths();

        assertThat(steps).isGreaterThan(20);
        assertThat(database.number(WRONG)).isZero();
        assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + other)).isEqualTo(steps);
        assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + empty)).isZero();
        assertThat(gained(other)).isEqualTo(steps);
        assertThat(gained(full)).as("messages that no broker stored").isZero();
    }

    @Test
    void shouldLeaveWhatQueuesGainedAlone() throws Exception {
        int queue = user.queue();
        StorageUser another = new StorageUser(database);
        send(user, queue, 4);
        user.tellLengths();
        send(user, queue, 3);
        send(another, queue, 2);
        another.take(queue);

        recount.soon();
        recount.doWork();
        send(another, queue, 1);
        run(recount);
        assertThat(gained(queue)).isEqualTo(4);
        user.tellLengths();
        another.tellLengths();
        another.tellLengths();

        assertThat(gained(queue)).isEqualTo(10);
        assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + queue)).isEqualTo(9);
        another.close();
    }

    @Test
    void shouldTellThatMessagesThatComeBackAreGained() throws Exception {
        int queue = user.queue();
        send(user, queue, 2);
        user.release(user.receive(queue, 60_000));
        user.acknowledge(user.receive(queue, 60_000));
        user.tellLengths();

        assertThat(gained(queue)).isEqualTo(3);
        assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + queue)).isEqualTo(1);
    }

    @Test
    void shouldTellThatADeadLetterQueueGainsWhatItGets() throws Exception {
        StorageUser strict = new StorageUser(database, Map.of("broker.deliveries.max", "1"));
        int queue = strict.queue();
        send(strict, queue, 1);
        strict.release(strict.receive(queue, 60_000));
        strict.tellLengths();

        int dead = (int) database.number("SELECT id FROM queue WHERE dead");
        assertThat(gained(queue)).isEqualTo(1);
        assertThat(gained(dead)).isEqualTo(1);
        strict.close();
    }

    @Test
    void shouldLeaveItToTheBrokerThatBeganLast() throws Exception {
        int queue = user.queue();
        fill(queue);
        database.execute("UPDATE queue_length SET messages = 77");
        Recount later = new Recount(database.address(), IDENTITY, 1_000);

        recount.soon();
        recount.doWork();
        later.soon();
        later.doWork();
        user.send(queue, 5, "new");
        user.tellLengths();
        run(recount);
        assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + queue)).isEqualTo(78);
        run(later);
        later.onClose();

        assertThat(database.number(WRONG)).isZero();
    }

    @Test
    void shouldBeginAgainWhereItsConnectionBreaks() throws Exception {
        int queue = user.queue();
        fill(queue);
        recount.soon();
        recount.doWork();
        user.take(queue);
        user.tellLengths();
        database.number("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                + "WHERE datname = current_database() AND application_name = 'mlmq' AND pid <> pg_backend_pid()");

        assertThat(recount.doWork()).isZero();
        assertThat(recount.isCounting()).isFalse();
        while (recount.doWork() == 0) {
            Thread.onSpinWait();
        }
        run(recount);

        assertThat(database.number(WRONG)).isZero();
    }

    @Test
    void shouldBeBegunAgainWhereTheBrokerThatCountsStops() throws Exception {
        int queue = user.queue();
        fill(queue);
        recount.soon();
        recount.doWork();
        assertThat(recount.isCounting()).isTrue();
        recount.onClose();

        user.tellLengths();
        Recount another = user.agent(Recount.class);
        do {
            another.doWork();
        } while (another.isCounting());

        assertThat(database.number(WRONG)).isZero();
        another.onClose();
    }

    @Test
    void shouldBeNeededInADatabaseThatWasRestoredFromAnotherServer() throws Exception {
        int queue = user.queue();
        database.execute("UPDATE recount SET counted = '1000000000:1000000000:'");
        send(user, queue, 3);

        user.tellLengths();
        Recount another = user.agent(Recount.class);
        do {
            another.doWork();
        } while (another.isCounting());
        user.tellLengths();

        assertThat(database.number(WRONG)).isZero();
        another.onClose();
    }

    @Test
    void shouldNotBlockLengthsIfItsBrokerDiesBeforeItBegins() throws Exception {
        int queue = user.queue();
        send(user, queue, 3);
        database.execute("UPDATE recount SET announced_at = now()");
        user.tellLengths();
        assertThat(database.number(LENGTH + queue)).as("while a count is about to begin").isZero();

        database.execute("UPDATE recount SET announced_at = now() - interval '11 s'");
        user.tellLengths();

        assertThat(database.number(LENGTH + queue)).isEqualTo(3);
        assertThat(database.number("SELECT count(*) FROM recount WHERE needed")).isEqualTo(1);
    }

    private static void send(StorageUser sender, int queue, int messages) {
        for (int i = 0; i < messages; i++) {
            sender.send(queue, 5, "new");
        }
    }

    private long gained(int queue) throws SQLException {
        return database.number("SELECT gained FROM queue_length WHERE queue_id = " + queue);
    }

    private static void run(Recount recount) {
        while (recount.isCounting()) {
            recount.doWork();
        }
    }

    private void fill(int queue) throws SQLException {
        database.execute("INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) "
                + "SELECT " + queue + ", 1, 1, 0, repeat('x', 400)::bytea FROM generate_series(1, 1000)");
    }
}
