package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.limit.LimitCounters;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.length.LengthLedger;
import ch.ethz.mlmq.storage.postgresql.limit.AgedMessages;
import ch.ethz.mlmq.storage.postgresql.limit.LimitDirectory;
import ch.ethz.mlmq.storage.postgresql.limit.LimitTables;
import ch.ethz.mlmq.storage.postgresql.operation.Changes;
import ch.ethz.mlmq.storage.postgresql.operation.SharedLocks;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.logging.Logger;

/**
 * Reads the limits of queues when their generation has changed, which it looks at four times a second, and removes
 * messages that are too old. Every broker does so, and skips rows that another one has locked.
 */
public final class LimitsKeeper implements Agent {
    private static final Logger LOG = Logger.getLogger(LimitsKeeper.class.getName());
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int CHUNK = 1_000;
    /** Divisor of the time: looks for old messages take at most this part of it. */
    private static final int REST = 20;

    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final LimitDirectory directory;
    private final LengthLedger ledger;
    private final LimitCounters counters;
    private final Outage outage = new Outage(LOG, "reading limits");
    private final Every reading = Every.startingNow(Duration.ofMillis(250));
    private final Every aging = Every.startingNow(Duration.ofMillis(500));
    private long generation = -1;

    /** @param directory gets the limits */
    public LimitsKeeper(DatabaseAddress address, LimitDirectory directory, LengthLedger ledger,
            LimitCounters counters) {
        this.address = address;
        this.connection = new OwnConnection(address, LIMIT, "SET enable_seqscan = off");
        this.directory = directory;
        this.ledger = ledger;
        this.counters = counters;
    }

    @Override
    public String roleName() {
        return "limits";
    }

    @Override
    public int doWork() {
        long now = System.nanoTime();
        try {
            if (reading.isDue(now)) {
                connection.work(this::read);
                outage.worked();
            }
            if (aging.isDue(now)) {
                removeAged();
                aging.rest(now, System.nanoTime(), REST);
            }
        } catch (SQLException e) {
            outage.failed(address.unusable(e).getMessage(), e);
        }
        return 0;
    }

    @Override
    public void onClose() {
        connection.close();
    }

    /** Reads the limits if they have changed; a change during the read is seen the next time. */
    public Void read(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet access = statement.executeQuery("SELECT generation FROM access")) {
            access.next();
            long now = access.getLong(1);
            long changes = directory.changes();
            if (now != generation && directory.learn(LimitTables.all(open), changes)) {
                generation = now;
            }
            return null;
        }
    }

    private void removeAged() throws SQLException {
        for (Map.Entry<Integer, Long> queue : directory.aging().entrySet()) {
            int removed;
            do {
                Changes changes = connection.transact(open -> {
                    Changes made = new Changes(SharedLocks.beginStoringNothing(open));
                    int old = AgedMessages.remove(open, queue.getKey(), queue.getValue(), CHUNK);
                    if (old > 0) {
                        made.aged(queue.getKey(), old);
                    }
                    return made;
                });
                changes.committed(ledger, Arrivals.IGNORED);
                changes.count(counters);
                removed = changes.aged();
            } while (removed >= CHUNK);
        }
    }
}
