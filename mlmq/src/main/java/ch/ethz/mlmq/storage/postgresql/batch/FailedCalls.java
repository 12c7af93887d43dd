package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sets failures on calls and logs one line a second, because a line for each would fill the disk. */
final class FailedCalls {
    private static final Logger LOG = Logger.getLogger(FailedCalls.class.getName());
    private static final long BETWEEN_COMPLAINTS_NANOS = 1_000_000_000;

    private final DatabaseAddress address;
    private final LongAdder failed = new LongAdder();
    private final AtomicLong nextComplaintNanos = new AtomicLong(System.nanoTime());

    FailedCalls(DatabaseAddress address) {
        this.address = address;
    }

    /** Sets a failure of the database on those of the calls that have no response. */
    void fail(List<Call> calls, SQLException e) {
        fail(calls, e, Failures.databaseFailed(e));
    }

    /** Gives the response to those of the calls that have none. */
    void fail(List<Call> calls, SQLException e, Response answer) {
        List<Call> failing = calls.stream().filter(call -> call.response() == null).toList();
        complain(failing.size(), e);
        failing.forEach(call -> call.answer(answer));
    }

    private void complain(int requests, SQLException e) {
        LOG.log(Level.FINE, e, () -> requests + " requests failed");
        failed.add(requests);
        long now = System.nanoTime();
        long due = nextComplaintNanos.get();
        if (now - due >= 0 && nextComplaintNanos.compareAndSet(due, now + BETWEEN_COMPLAINTS_NANOS)) {
            LOG.warning(() -> failed.sumThenReset() + " requests failed: " + address.unusable(e).getMessage());
        }
    }
}
