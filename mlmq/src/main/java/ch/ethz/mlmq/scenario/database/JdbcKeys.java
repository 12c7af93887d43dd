package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.config.Key;
import java.util.List;

/** Keys of the driver for queues in PostgreSQL. */
final class JdbcKeys {
    static final Key<Table> TABLE = Key.of("client.driver.table", Table.class, Grammar.oneOf(Table.class),
            "skip_locked", "", "The driver jdbc uses queues of this kind in PostgreSQL.");
    static final Key<PgmqTake> PGMQ_TAKE = Key.of("client.driver.pgmq.take", PgmqTake.class,
            Grammar.oneOf(PgmqTake.class), "archive", "",
            "Clients read and archive messages of pgmq (archive), read and delete them (delete), or pop them (pop).");

    /** All keys, in the order of the template. */
    static final List<Key<?>> ALL = List.of(TABLE, PGMQ_TAKE);

    /** Kinds of queues in PostgreSQL. */
    enum Table {
        /** One table for all queues, whose rows are deleted with {@code FOR UPDATE SKIP LOCKED}. */
        SKIP_LOCKED,
        /** One table for each queue, with visibility times and archives, used by functions such as pgmq's. */
        PGMQ
    }

    /** Ways to dequeue a message of pgmq. */
    enum PgmqTake {
        /** The message is read with a visibility time, then moved to the archive. */
        ARCHIVE,
        /** The message is read with a visibility time, then deleted. */
        DELETE,
        /** The message is read and deleted in one statement. */
        POP
    }

    private JdbcKeys() {
    }
}
