package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.length.LengthLedger;
import ch.ethz.mlmq.storage.postgresql.operation.Changes;
import ch.ethz.mlmq.storage.postgresql.operation.LeaseOperations;
import ch.ethz.mlmq.storage.postgresql.operation.SharedLocks;
import ch.ethz.mlmq.storage.postgresql.operation.TimesToLive;
import java.sql.SQLException;
import java.time.Duration;
import java.util.logging.Logger;

/**
 * Requeues messages whose lease or delay has ended, and removes those whose time to live has. Every broker does so, and
 * skips rows that another one has locked. It has its own thread and connection, so that no other upkeep delays it.
 */
public final class LeaseExpiry implements Agent {
    private static final Logger LOG = Logger.getLogger(LeaseExpiry.class.getName());
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final int CHUNK = 1_000;
    /** Divisor of the time: passes over all leases take at most this part of it. */
    private static final int REST = 20;
    /**
     * Overlap of windows. A lease whose transaction took longer to commit, or that was locked, waits for a pass over
     * all.
     */
    private static final Duration OVERLAP = Duration.ofSeconds(1);

    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final Outage outage = new Outage(LOG, "ending leases");
    private final LeaseOperations leases;
    private final LengthLedger ledger;
    private final Arrivals arrivals;
    private final Every pass = Every.startingNow(PERIOD);
    private final Every passOverAll = Every.startingNow(Duration.ofSeconds(1));
    private long lastPassNanos = System.nanoTime();

    /** @param arrivals is notified of messages that can be taken again */
    public LeaseExpiry(DatabaseAddress address, LeaseOperations leases, LengthLedger ledger, Arrivals arrivals) {
        this.address = address;
        this.connection = new OwnConnection(address, LIMIT, "SET enable_seqscan = off");
        this.leases = leases;
        this.ledger = ledger;
        this.arrivals = arrivals;
    }

    @Override
    public String roleName() {
        return "leases";
    }

    @Override
    public int doWork() {
        long start = System.nanoTime();
        if (!pass.isDue(start)) {
            return 0;
        }
        try {
            if (passOverAll.isDue(start)) {
                expire(LeaseOperations.EVER);
                passOverAll.rest(start, System.nanoTime(), REST);
            } else {
                // If an old snapshot keeps ended leases in the index, this window avoids a walk over all of them.
                expire(OVERLAP.plusNanos(start - lastPassNanos));
            }
            lastPassNanos = start;
            removeOutlived();
            outage.worked();
        } catch (SQLException e) {
            outage.failed(address.unusable(e).getMessage(), e);
        }
        return 0;
    }

    @Override
    public void onClose() {
        connection.close();
    }

    /** Leases wait no longer for it than their own period. */
    private void removeOutlived() throws SQLException {
        long start = System.nanoTime();
        int looked;
        do {
            Expired removed = connection.transact(open -> {
                if (!TimesToLive.areDue(open)) {
                    return new Expired(0, null);
                }
                Changes changes = new Changes(SharedLocks.beginStoringNothing(open));
                return new Expired(TimesToLive.remove(open, changes, CHUNK), changes);
            });
            looked = removed.count;
            if (looked > 0) {
                removed.changes.committed(ledger, arrivals);
            }
        } while (looked == CHUNK && System.nanoTime() - start < PERIOD.toNanos());
    }

    private record Expired(int count, Changes changes) {
    }

    private void expire(Duration within) throws SQLException {
        int expired;
        do {
            Expired given = connection.transact(open -> {
                Changes changes = new Changes(SharedLocks.beginStoring(open));
                return new Expired(leases.expire(open, changes, within, CHUNK), changes);
            });
            given.changes.committed(ledger, arrivals);
            expired = given.count;
        } while (expired == CHUNK);
    }
}
