package ch.ethz.mlmq.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecountTest {
    private static final String WRONG = "SELECT count(*) FROM queue q LEFT JOIN queue_length l ON l.queue_id = q.id "
            + "WHERE l.messages IS DISTINCT FROM (SELECT count(*) FROM message m WHERE m.queue_id = q.id)";

    private final TestDatabase database = new TestDatabase();
    private Recount recount;
    private StorageUser user;

    @BeforeEach
    void start() throws Exception {
        recount = new Recount(database.address(), 2);
        user = new StorageUser(database);
    }

    @AfterEach
    void close() {
        recount.onClose();
        user.close();
        database.close();
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
                tellLengths(user);
            }
            recount.doWork();
        }
        tellLengths(user);

        assertThat(steps).isGreaterThan(20);
        assertThat(database.number(WRONG)).isZero();
        assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + other)).isEqualTo(steps);
        assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + empty)).isZero();
    }

    @Test
    void shouldLeaveItToTheBrokerThatBeganLast() throws Exception {
        int queue = user.queue();
        fill(queue);
        database.execute("UPDATE queue_length SET messages = 77");
        Recount later = new Recount(database.address(), 1_000);

        recount.soon();
        recount.doWork();
        later.soon();
        later.doWork();
        user.send(queue, 5, "new");
        tellLengths(user);
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
        tellLengths(user);
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

    private static void run(Recount recount) {
        while (recount.isCounting()) {
            recount.doWork();
        }
    }

    private void fill(int queue) throws SQLException {
        database.execute("INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) "
                + "SELECT " + queue + ", 1, 1, 0, repeat('x', 400)::bytea FROM generate_series(1, 1000)");
    }

    /** As housekeeping does once a second, and when it is closed. */
    private static void tellLengths(StorageUser user) throws Exception {
        user.storage.agents().stream().filter(agent -> agent.roleName().equals("housekeeping")).findFirst()
                .orElseThrow().onClose();
    }
}
