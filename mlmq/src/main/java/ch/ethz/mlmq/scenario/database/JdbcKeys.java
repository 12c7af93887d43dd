package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.config.Key;
import java.util.List;

/** Keys that the driver of queues in PostgreSQL alone has. */
final class JdbcKeys {
    static final Key<Table> TABLE = Key.of("client.driver.table", Table.class, Grammar.oneOf(Table.class),
            "skip_locked", "", "Which queue in PostgreSQL jdbc uses.");
    static final Key<PgmqTake> PGMQ_TAKE = Key.of("client.driver.pgmq.take", PgmqTake.class,
            Grammar.oneOf(PgmqTake.class), "archive", "",
            "How messages of pgmq are taken: read and archived, read and deleted, or popped.");

    /** All of them, in the order of the template. */
    static final List<Key<?>> ALL = List.of(TABLE, PGMQ_TAKE);

    /** Queues in PostgreSQL. */
    enum Table {
        /** One table, rows deleted with {@code FOR UPDATE SKIP LOCKED}. */
        SKIP_LOCKED,
        /** A table a queue, with visibility times and archives, by functions such as pgmq's. */
        PGMQ
    }

    /** Ways to take a message of pgmq for good. */
    enum PgmqTake {
        /** Read with a visibility time, then moved to the archive. */
        ARCHIVE,
        /** Read with a visibility time, then deleted. */
        DELETE,
        /** Read and deleted at once. */
        POP
    }

    private JdbcKeys() {
    }
}
