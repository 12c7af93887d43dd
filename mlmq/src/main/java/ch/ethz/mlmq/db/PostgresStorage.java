package ch.ethz.mlmq.db;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;
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
    private final Recount recount;
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
        recount = new Recount(address);
        boundsKeeper = new BoundsKeeper(address, bounds);
        vacuum = new Vacuum(address, ledger, bounds);
        membership.onBrokerDied(recount::soon);
        membership.join();
        pool = new ConnectionPool(address, settings.get(BrokerKeys.DB_CONNECTIONS),
                settings.get(BrokerKeys.DB_TIMEOUT), settings.get(BrokerKeys.DB_SYNCHRONOUS_COMMIT));
        classifier = new Classifier(directory, new ContextSource());
        singles = new SingleCalls(new ClientOperations(directory, identity), new QueueOperations(directory),
                new SendOperations(directory, settings.get(BrokerKeys.DEDUP_WINDOW)), new TakeOperations(directory),
                leases, limits);
    }

    private static void check(DatabaseAddress address) throws StorageException {
        try (Connection connection = address.connect(OwnConnection.PATIENT)) {
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
        return List.of(membership, housekeeping, hints, boundsKeeper, vacuum, recount);
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
    public void execute(List<Call> calls) {
        long start = System.nanoTime();
        Connection connection;
        try {
            connection = pool.take();
        } catch (SQLException e) {
            pooled(calls, start);
            fail(calls, e);
            return;
        }
        pooled(calls, start);
        try {
            execute(connection, calls);
        } catch (SQLException e) {
            fail(calls, e);
        } finally {
            giveBack(connection);
        }
    }

    private static void pooled(List<Call> calls, long start) {
        long end = System.nanoTime();
        calls.forEach(call -> call.pooled(start, end));
    }

    /** What was answered stays answered, whatever becomes of the connection. */
    private void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.warning(() -> "a connection is given up: " + address.unusable(e).getMessage());
        }
    }

    /** A call that needs a transaction of its own ends the one before it, so that order is kept. */
    private void execute(Connection connection, List<Call> calls) throws SQLException {
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

    /** Executes the calls in one transaction, or in several where they need more phases than a plan has. */
    private void share(Connection connection, List<Call> calls) {
        for (int from = 0; from < calls.size();) {
            BatchPlan plan = newPlan();
            int count = plan.addAll(calls.subList(from, calls.size()));
            List<Call> shared = calls.subList(from, from + count);
            SQLException failure = attempt(connection, plan, shared);
            if (failure != null) {
                failed(connection, shared, failure);
            }
            from += count;
        }
    }

    /** Nothing of what these calls did has happened. */
    private void failed(Connection connection, List<Call> calls, SQLException e) {
        if (calls.size() == 1 || isBroken(connection)) {
            fail(calls, e);
        } else if (SqlStates.isOfARequest(e)) {
            LOG.log(Level.FINE, e, () -> "a batch of " + calls.size() + " failed, each is tried alone");
            eachAlone(connection, calls);
        } else if (SqlStates.isTimeout(e) && e instanceof CallFailedException culprit) {
            fail(List.of(culprit.call()), e);
            withoutTheSlowOne(connection, calls.stream().filter(call -> call != culprit.call()).toList());
        } else {
            fail(calls, e);
        }
    }

    private void eachAlone(Connection connection, List<Call> calls) {
        SQLException failure = null;
        for (int i = 0; i < calls.size() && (failure == null || SqlStates.isOfARequest(failure)); i++) {
            List<Call> alone = calls.subList(i, i + 1);
            failure = again(connection, alone);
            if (failure != null) {
                fail(SqlStates.isOfARequest(failure) ? alone : calls.subList(i, calls.size()), failure);
            }
        }
    }

    /** One request that takes too long is no reason to fail all others; a second one is not waited for. */
    private void withoutTheSlowOne(Connection connection, List<Call> calls) {
        SQLException failure = again(connection, calls);
        if (failure != null) {
            fail(calls, failure);
        }
    }

    private SQLException again(Connection connection, List<Call> calls) {
        calls.forEach(classifier::classify);
        SQLException failure = null;
        for (int from = 0; from < calls.size() && failure == null;) {
            BatchPlan plan = newPlan();
            int count = plan.addAll(calls.subList(from, calls.size()));
            failure = attempt(connection, plan, calls.subList(from, from + count));
            from += count;
        }
        return failure;
    }

    private BatchPlan newPlan() {
        return new BatchPlan(plans.incrementAndGet());
    }

    /** @return why nothing of it has happened, or null where the calls are answered */
    private SQLException attempt(Connection connection, BatchPlan plan, List<Call> calls) {
        long start = System.nanoTime();
        Transaction transaction = new Transaction();
        List<Call> again = new ArrayList<>(0);
        SQLException failure = null;
        try {
            if (!plan.phases().isEmpty()) {
                transact(connection, plan, transaction, again);
            }
        } catch (SQLException e) {
            failure = e;
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> "a batch failed: " + e);
            failure = new SQLException("the broker failed: " + e, e);
        }
        long end = System.nanoTime();
        for (Call call : calls) {
            if (call.step != Step.ANSWERED) {
                call.transacted(start, end);
                if (failure != null) {
                    call.forgetAnswer();
                }
            }
        }
        if (failure == null && !plan.phases().isEmpty()) {
            note(plan, transaction);
            transaction.committed(ledger, hints);
            again.forEach(call -> call.step = Step.SINGLE);
            share(connection, again);
        }
        return failure;
    }

    /** @param again gets the calls that have to be executed again, singly */
    private void transact(Connection connection, BatchPlan plan, Transaction transaction, List<Call> again)
            throws SQLException {
        if (plan.hasSingles()) {
            inSteps(connection, plan, transaction, again);
        } else {
            atOnce(connection, plan, transaction, again);
        }
    }

    /** One round trip, which is a transaction by itself. */
    private void atOnce(Connection connection, BatchPlan plan, Transaction transaction, List<Call> again)
            throws SQLException {
        HotStatement hot = new HotStatement(directory, plan.phases(), bounds);
        hot.execute(connection);
        transaction.began(hot.transaction());
        again.addAll(hot.again());
    }

    private void inSteps(Connection connection, BatchPlan plan, Transaction transaction, List<Call> again)
            throws SQLException {
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
            endTransaction(connection);
        }
    }

    /**
     * Rolls back what was not committed. Where that fails the connection is of no use any more, and what was committed
     * is.
     */
    private void endTransaction(Connection connection) {
        if (isBroken(connection)) {
            return;
        }
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            LOG.warning(() -> "a transaction ended with its connection: " + address.unusable(e).getMessage());
        }
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

    /** Answers those that have no answer. */
    private void fail(List<Call> calls, SQLException e) {
        String text = address.unusable(e).getMessage();
        List<Call> failing = calls.stream().filter(call -> call.response() == null).toList();
        complain(failing.size(), text, e);
        Response failure = Failures.databaseFailed(e);
        failing.forEach(call -> call.answer(failure));
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
        clearUp(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("UPDATE client SET broker_id = NULL, "
                    + "seen_at = now() FROM unnest(?::int[], ?::bigint[]) AS s(client, number) "
                    + "WHERE id = s.client AND session = s.number")) {
                statement.setObject(1, sessions.stream().mapToInt(Session::client).toArray());
                statement.setObject(2, sessions.stream().mapToLong(Session::number).toArray());
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public void putBack(Collection<Message> messages) throws StorageException {
        clearUp(connection -> {
            connection.setAutoCommit(false);
            try {
                return putBacks.putBack(connection, messages);
            } finally {
                endTransaction(connection);
            }
        }).committed(ledger, hints);
    }

    /** What was done is done, whatever becomes of the connection after that. */
    private <T> T clearUp(OwnConnection.Work<T> work) throws StorageException {
        Connection connection = null;
        try {
            connection = pool.take();
            return work.with(connection);
        } catch (SQLException e) {
            throw address.unusable(e);
        } finally {
            if (connection != null) {
                giveBack(connection);
            }
        }
    }

    @Override
    public void close() {
        pool.close();
        membership.leave();
    }
}
