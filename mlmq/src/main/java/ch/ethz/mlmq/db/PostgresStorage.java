package ch.ethz.mlmq.db;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.Agent;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps everything in PostgreSQL, shared by many brokers.
 *
 * <p>The calls of a batch share a transaction; where it fails each of them is tried again in a transaction of its own,
 * so that a call that cannot succeed fails alone.
 */
public final class PostgresStorage implements Storage {
    private static final Logger LOG = Logger.getLogger(PostgresStorage.class.getName());
    private static final long BETWEEN_COMPLAINTS_NANOS = 1_000_000_000;

    private final DatabaseAddress address;
    private final ConnectionPool pool;
    private final QueueDirectory directory = new QueueDirectory();
    private final LengthLedger ledger = new LengthLedger();
    private final LowerBounds bounds = new LowerBounds();
    private final BrokerIdentity identity = new BrokerIdentity();
    private final Classifier classifier;
    private final SingleCalls singles;
    private final PutBack putBacks = new PutBack();
    private final AtomicLong plans = new AtomicLong();
    private final LongAdder failed = new LongAdder();
    private final AtomicLong nextComplaintNanos = new AtomicLong(System.nanoTime());
    private final Membership membership;
    private final Hints hints;
    private final Housekeeping housekeeping;
    private final BoundsKeeper boundsKeeper;
    private final Vacuum vacuum;

    /**
     * Connects, once, to see that the database is there and of the right version.
     *
     * @throws StorageException where it is not; one line, without the password
     */
    public PostgresStorage(Settings settings, DatabaseAddress address, Limits limits, String brokerName)
            throws StorageException {
        this.address = address;
        check(address);
        membership = new Membership(address, brokerName, identity);
        hints = new Hints(address, identity);
        LeaseOperations leases = new LeaseOperations(directory, settings.get(BrokerKeys.DELIVERIES_MAX));
        housekeeping = new Housekeeping(address, leases, ledger, hints, settings.get(BrokerKeys.DEDUP_WINDOW),
                new ForgottenClients(settings.get(BrokerKeys.CLIENT_KEEP)));
        boundsKeeper = new BoundsKeeper(address, bounds);
        vacuum = new Vacuum(address, ledger, bounds);
        membership.onBrokerDied(housekeeping::recountSoon);
        membership.join();
        pool = new ConnectionPool(address, settings.get(BrokerKeys.DB_CONNECTIONS),
                settings.get(BrokerKeys.DB_TIMEOUT), settings.get(BrokerKeys.DB_SYNCHRONOUS_COMMIT));
        classifier = new Classifier(directory, new ContextSource());
        singles = new SingleCalls(new ClientOperations(directory, identity), new QueueOperations(directory),
                new SendOperations(directory, settings.get(BrokerKeys.DEDUP_WINDOW)), new TakeOperations(directory),
                leases, limits);
    }

    private static void check(DatabaseAddress address) throws StorageException {
        try (Connection connection = address.connect()) {
            Schema.check(connection);
        } catch (SQLException | StorageException e) {
            throw address.unusable(e);
        }
    }

    @Override
    public void tell(Arrivals arrivals, Runnable expelled, Returned returned) {
        hints.tell(arrivals, returned);
        membership.onExpelled(expelled);
    }

    @Override
    public List<Agent> agents() {
        return List.of(membership, housekeeping, hints, boundsKeeper, vacuum);
    }

    @Override
    public Reach reach() {
        return membership.isReachable() ? Reach.OK : Reach.AWAY;
    }

    LowerBounds bounds() {
        return bounds;
    }

    @Override
    public PoolState pool() {
        return pool.state();
    }

    @Override
    public void execute(List<? extends Call> calls) {
        long start = System.nanoTime();
        try (Connection connection = pool.take()) {
            long end = System.nanoTime();
            calls.forEach(call -> call.pooled(start, end));
            execute(connection, calls);
        } catch (SQLException e) {
            long end = System.nanoTime();
            calls.forEach(call -> call.pooled(start, end));
            fail(calls, e);
        }
    }

    /** A call that needs a transaction of its own ends the one before it, so that order is kept. */
    private void execute(Connection connection, List<? extends Call> calls) throws SQLException {
        classifier.prepare(connection, calls);
        int from = 0;
        for (int i = 0; i < calls.size(); i++) {
            classifier.classify(calls.get(i));
            if (calls.get(i).step == Step.ALONE) {
                share(connection, calls.subList(from, i));
                share(connection, calls.subList(i, i + 1));
                from = i + 1;
            }
        }
        share(connection, calls.subList(from, calls.size()));
    }

    private void share(Connection connection, List<? extends Call> calls) throws SQLException {
        long start = System.nanoTime();
        List<Call> again = List.of();
        try {
            again = transact(connection, calls);
        } catch (SQLException e) {
            if (calls.size() == 1 || isBroken(connection)) {
                fail(calls, e);
            } else {
                LOG.log(Level.FINE, e, () -> "a batch of " + calls.size() + " failed, each is tried alone");
                for (Call call : calls) {
                    call.forgetAnswer();
                    classifier.classify(call);
                    share(connection, List.of(call));
                }
                return;
            }
        }
        long end = System.nanoTime();
        for (Call call : calls) {
            if (call.step != Step.ANSWERED) {
                call.transacted(start, end);
            }
        }
        if (!again.isEmpty()) {
            again.forEach(call -> call.step = Step.SINGLE);
            share(connection, again);
        }
    }

    /** @return calls that have to be executed again, singly */
    private List<Call> transact(Connection connection, List<? extends Call> calls) throws SQLException {
        BatchPlan plan = new BatchPlan(plans.incrementAndGet());
        for (Call call : calls) {
            if (call.step != Step.ANSWERED) {
                plan.add(call);
            }
        }
        if (plan.phases().isEmpty()) {
            return List.of();
        }
        return plan.hasSingles() ? inSteps(connection, plan) : atOnce(connection, plan);
    }

    /** One round trip, which is a transaction by itself. */
    private List<Call> atOnce(Connection connection, BatchPlan plan) throws SQLException {
        Transaction transaction = new Transaction();
        HotStatement hot = new HotStatement(directory, plan.phases(), bounds);
        hot.execute(connection);
        transaction.began(hot.transaction());
        note(plan, transaction);
        transaction.committed(ledger, hints);
        return hot.again();
    }

    private List<Call> inSteps(Connection connection, BatchPlan plan) throws SQLException {
        List<Call> again = new ArrayList<>(0);
        Transaction transaction = new Transaction();
        connection.setAutoCommit(false);
        try {
            if (plan.isAlone()) {
                transaction.beginAlone(connection);
            } else {
                transaction.begin(connection);
            }
            for (BatchPlan.Phase phase : plan.phases()) {
                if (!phase.takes.isEmpty() || !phase.sends.isEmpty()) {
                    HotStatement hot = new HotStatement(directory, List.of(phase), bounds);
                    hot.execute(connection);
                    again.addAll(hot.again());
                }
                for (Call call : phase.singles) {
                    singles.execute(connection, transaction, call);
                }
            }
            connection.commit();
        } finally {
            if (!isBroken(connection)) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
        note(plan, transaction);
        transaction.committed(ledger, hints);
        return again;
    }

    private void note(BatchPlan plan, Transaction transaction) {
        for (BatchPlan.Phase phase : plan.phases()) {
            for (Call call : phase.takes) {
                if (Answers.isDelivery(call.response())) {
                    transaction.taken(call.queue);
                    bounds.taken(((Response.Delivery) call.response()).message());
                }
            }
            for (Call call : phase.sends) {
                if (Answers.isSuccess(call.response())) {
                    transaction.stored(call.queue, directory.ownerOf(call.queue), call.context);
                }
            }
        }
    }

    private void fail(List<? extends Call> calls, SQLException e) {
        String text = address.unusable(e).getMessage();
        complain(calls.size(), text, e);
        Response failure = Failures.databaseFailed(e);
        for (Call call : calls) {
            if (call.response() == null || call.step != Step.ANSWERED) {
                call.answer(failure);
            }
        }
    }

    /** Where all fails, a line for each request would fill the disk. */
    private void complain(int requests, String text, SQLException e) {
        LOG.log(Level.FINE, e, () -> requests + " requests failed");
        failed.add(requests);
        long now = System.nanoTime();
        long due = nextComplaintNanos.get();
        if (now - due >= 0 && nextComplaintNanos.compareAndSet(due, now + BETWEEN_COMPLAINTS_NANOS)) {
            LOG.warning(() -> failed.sumThenReset() + " requests failed: " + text);
        }
    }

    private static boolean isBroken(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    @Override
    public void offline(Collection<Session> sessions) throws StorageException {
        try (Connection connection = pool.take(); PreparedStatement statement = connection.prepareStatement(
                "UPDATE client SET broker_id = NULL, seen_at = now() "
                        + "FROM unnest(?::int[], ?::bigint[]) AS s(client, number) "
                        + "WHERE id = s.client AND session = s.number")) {
            statement.setObject(1, sessions.stream().mapToInt(Session::client).toArray());
            statement.setObject(2, sessions.stream().mapToLong(Session::number).toArray());
            statement.executeUpdate();
        } catch (SQLException e) {
            throw address.unusable(e);
        }
    }

    @Override
    public void putBack(Collection<Message> messages) throws StorageException {
        try (Connection connection = pool.take()) {
            connection.setAutoCommit(false);
            try {
                putBacks.putBack(connection, messages).committed(ledger, hints);
            } finally {
                if (!isBroken(connection)) {
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
            }
        } catch (SQLException e) {
            throw address.unusable(e);
        }
    }

    @Override
    public void close() {
        pool.close();
        membership.leave();
    }
}
