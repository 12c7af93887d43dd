package ch.ethz.mlmq.db;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.SynchronousCommit;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
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
    /** Threads that call {@link #executeApart}. */
    private static final int ROUTES_APART = 2;
    /** Whoever waits for the messages exclusively stops others: for a fifth of the time at most. */
    private static final long BETWEEN_HOLDS_NANOS = 400_000_000;

    private final DatabaseAddress address;
    private final Duration timeout;
    private final ConnectionPool pool;
    private final ConnectionPool apart;
    private final QueueDirectory directory = new QueueDirectory();
    private final LengthLedger ledger = new LengthLedger();
    private final LowerBounds bounds = new LowerBounds();
    private final BrokerIdentity identity;
    private final Classifier classifier;
    private final SingleCalls singles;
    private final PutBack putBacks = new PutBack();
    private final AtomicLong plans = new AtomicLong();
    private final LongAdder failed = new LongAdder();
    private final AtomicLong nextComplaintNanos = new AtomicLong(System.nanoTime());
    private final Membership membership;
    private final Hints hints;
    private final LeaseExpiry leaseExpiry;
    private final Lengths lengths;
    private final Cleaning cleaning;
    private final Recount recount;
    private final BoundsKeeper boundsKeeper;
    private final Vacuum vacuum;

    /**
     * Connects, once, to see that the database is there and of the right version, and that no other broker is called
     * so.
     *
     * @param brokerName    tells brokers of a database apart
     * @param brokerAddress where it listens, for people
     * @throws StorageException where it is not; one line, without the password
     */
    public PostgresStorage(Settings settings, DatabaseAddress address, Limits limits, String brokerName,
            String brokerAddress) throws StorageException {
        this.identity = new BrokerIdentity(brokerName, brokerAddress);
        this.address = address.calledBy(identity.application());
        this.timeout = settings.get(BrokerKeys.DB_TIMEOUT);
        check(this.address);
        recount = new Recount(this.address, identity);
        membership = new Membership(this.address, identity);
        hints = new Hints(this.address, identity);
        LeaseOperations leases = new LeaseOperations(directory, settings.get(BrokerKeys.DELIVERIES_MAX));
        leaseExpiry = new LeaseExpiry(this.address, leases, ledger, hints);
        lengths = new Lengths(this.address, ledger, recount::soon);
        cleaning = new Cleaning(this.address, new ForgottenClients(settings.get(BrokerKeys.CLIENT_KEEP)));
        boundsKeeper = new BoundsKeeper(this.address, bounds);
        vacuum = new Vacuum(this.address, ledger, bounds);
        membership.join();
        SynchronousCommit commit = settings.get(BrokerKeys.DB_SYNCHRONOUS_COMMIT);
        pool = new ConnectionPool("mlmq", this.address, settings.get(BrokerKeys.DB_CONNECTIONS), timeout, commit);
        apart = new ConnectionPool("mlmq-apart", this.address, ROUTES_APART, timeout, commit);
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
        return List.of(membership, leaseExpiry, lengths, cleaning, hints, boundsKeeper, vacuum, recount);
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
        execute(pool, calls);
    }

    @Override
    public void executeApart(List<Call> calls) {
        execute(apart, calls);
    }

    private void execute(ConnectionPool from, List<Call> calls) {
        long start = System.nanoTime();
        Connection connection;
        try {
            connection = from.take();
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
                alone(connection, calls.subList(i, i + 1));
                from = i + 1;
            }
        }
        share(connection, calls.subList(from, calls.size()));
    }

    /** The call waits for the messages exclusively, a short time, and again where it was too short. */
    private void alone(Connection connection, List<Call> call) {
        long deadline = System.nanoTime() + timeout.toNanos();
        SQLException failure = again(connection, call);
        while (failure != null && SqlStates.isLockTimeout(failure) && !isBroken(connection)
                && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(BETWEEN_HOLDS_NANOS);
            failure = again(connection, call);
        }
        if (failure != null) {
            fail(call, failure, SqlStates.isLockTimeout(failure) ? Failures.messagesAreBeingStored(timeout)
                    : Failures.databaseFailed(failure));
        }
    }

    /** Executes the calls in one transaction, or in several where they need more phases than a plan has. */
    private void share(Connection connection, List<Call> calls) {
        for (int from = 0; from < calls.size();) {
            BatchPlan plan = newPlan();
            int count = plan.addAll(calls.subList(from, calls.size()));
            List<Call> shared = calls.subList(from, from + count);
            SQLException failure = attempt(connection, plan, shared);
            if (failure != null && isClassifiedAnew(shared, failure)) {
                continue;
            }
            if (failure != null) {
                failed(connection, shared, failure);
            }
            from += count;
        }
    }

    /**
     * Another broker has put a message with a receiver into a queue that these calls took for a plain one.
     *
     * @return whether they are to be executed again, as nothing has happened
     */
    private boolean isClassifiedAnew(List<Call> calls, SQLException e) {
        int queue = SqlStates.addressedQueue(e);
        if (queue == 0 || calls.stream().noneMatch(call -> call.step == Step.TAKE && call.queue == queue)) {
            return false;
        }
        directory.learnQueue(queue, directory.ownerOf(queue), true);
        calls.forEach(classifier::classify);
        return true;
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
            List<Call> some = calls.subList(from, from + count);
            failure = attempt(connection, plan, some);
            if (failure != null && isClassifiedAnew(some, failure)) {
                failure = null;
            } else {
                from += count;
            }
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
        SQLException failure = null;
        try {
            if (plan.hasSingles()) {
                inSteps(connection, plan, transaction);
            } else if (!plan.phases().isEmpty()) {
                atOnce(connection, plan, transaction);
            }
        } catch (SQLException e) {
            failure = e;
            evictReadOnly(connection, e);
            if (SqlStates.isOutcomeUnknown(e)) {
                // What it stored and took, if it did, is told by nobody.
                recount.soon();
            }
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
        }
        return failure;
    }

    /** The primary has become a standby: no later request is to meet this connection. */
    private void evictReadOnly(Connection connection, SQLException e) {
        if (SqlStates.isReadOnly(e)) {
            pool.evict(connection);
            apart.evict(connection);
        }
    }

    /** One round trip, which is a transaction by itself. */
    private void atOnce(Connection connection, BatchPlan plan, Transaction transaction) throws SQLException {
        HotStatement hot = new HotStatement(directory, plan.phases(), bounds);
        hot.execute(connection);
        transaction.began(hot.transaction());
    }

    private void inSteps(Connection connection, BatchPlan plan, Transaction transaction) throws SQLException {
        connection.setAutoCommit(false);
        try {
            if (plan.stores()) {
                transaction.begin(connection);
            } else {
                transaction.beginStoringNothing(connection);
            }
            for (BatchPlan.Phase phase : plan.phases()) {
                if (!phase.takes.isEmpty() || !phase.sends.isEmpty()) {
                    HotStatement hot = new HotStatement(directory, List.of(phase), bounds);
                    hot.execute(connection);
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
        fail(calls, e, Failures.databaseFailed(e));
    }

    private void fail(List<Call> calls, SQLException e, Response failure) {
        String text = address.unusable(e).getMessage();
        List<Call> failing = calls.stream().filter(call -> call.response() == null).toList();
        complain(failing.size(), text, e);
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
        apart.close();
        membership.leave();
    }
}
