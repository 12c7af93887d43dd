package ch.ethz.mlmq.storage.postgresql;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.config.Authentication;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.SynchronousCommit;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.WaitingCalls;
import ch.ethz.mlmq.storage.access.Accounts;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.access.Owned;
import ch.ethz.mlmq.storage.limit.LimitCounters;
import ch.ethz.mlmq.storage.postgresql.access.DatabaseAccounts;
import ch.ethz.mlmq.storage.postgresql.batch.BatchExecutor;
import ch.ethz.mlmq.storage.postgresql.connection.ConnectionPool;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OpenTransaction;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.length.LengthLedger;
import ch.ethz.mlmq.storage.postgresql.length.Lengths;
import ch.ethz.mlmq.storage.postgresql.length.Recount;
import ch.ethz.mlmq.storage.postgresql.limit.LimitTables;
import ch.ethz.mlmq.storage.postgresql.membership.BrokerIdentity;
import ch.ethz.mlmq.storage.postgresql.membership.Hints;
import ch.ethz.mlmq.storage.postgresql.membership.Membership;
import ch.ethz.mlmq.storage.postgresql.operation.Changes;
import ch.ethz.mlmq.storage.postgresql.operation.LeaseOperations;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import ch.ethz.mlmq.storage.postgresql.operation.Ownership;
import ch.ethz.mlmq.storage.postgresql.operation.QueueDirectory;
import ch.ethz.mlmq.storage.postgresql.operation.Requeueing;
import ch.ethz.mlmq.storage.postgresql.operation.SingleCalls;
import ch.ethz.mlmq.storage.postgresql.operation.TopicDirectory;
import ch.ethz.mlmq.storage.postgresql.schema.Schema;
import ch.ethz.mlmq.storage.postgresql.upkeep.Cleaning;
import ch.ethz.mlmq.storage.postgresql.upkeep.LeaseExpiry;
import ch.ethz.mlmq.storage.postgresql.upkeep.LimitCounting;
import ch.ethz.mlmq.storage.postgresql.upkeep.LimitsKeeper;
import ch.ethz.mlmq.storage.postgresql.upkeep.LowWaterMarksKeeper;
import ch.ethz.mlmq.storage.postgresql.upkeep.SubscriptionsCleaning;
import ch.ethz.mlmq.storage.postgresql.upkeep.TemporaryClientsCleaning;
import ch.ethz.mlmq.storage.postgresql.upkeep.Vacuum;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Keeps everything in PostgreSQL, shared by many brokers. {@link BatchExecutor} executes calls. */
public final class PostgresStorage implements Storage {
    private static final Logger LOG = Logger.getLogger(PostgresStorage.class.getName());
    /** Threads that call {@link #executeApart}. */
    private static final int ROUTES_APART = 2;

    private final DatabaseAddress address;
    private final ConnectionPool pool;
    private final ConnectionPool apart;
    private final QueueDirectory directory = new QueueDirectory();
    private final TopicDirectory topics;
    private final LengthLedger ledger = new LengthLedger();
    private final LowWaterMarks bounds = new LowWaterMarks();
    private final BrokerIdentity identity;
    private final BatchExecutor batches;
    private final Requeueing requeueing = new Requeueing();
    private final Membership membership;
    private final Hints hints;
    private final LeaseExpiry leaseExpiry;
    private final Lengths lengths;
    private final Cleaning cleaning;
    private final Recount recount;
    private final LowWaterMarksKeeper boundsKeeper;
    private final Vacuum vacuum;
    /** Null where nobody signs in. */
    private final DatabaseAccounts accounts;
    private final Ownership ownership = new Ownership();
    private final LimitCounters limitCounters = new LimitCounters();
    private final LimitsKeeper limitsKeeper;
    private final LimitCounting limitCounting;

    /**
     * Connects once to check that the database is reachable and of the right version, and that no other broker has this
     * name.
     *
     * @param brokerName    identifies the broker among those of the database
     * @param brokerAddress address it listens on, for people
     * @throws StorageException if a check fails; its message is one line without the password
     */
    public PostgresStorage(Settings settings, DatabaseAddress address, Limits limits, String brokerName,
            String brokerAddress) throws StorageException {
        this.identity = new BrokerIdentity(brokerName, brokerAddress);
        this.address = address.calledBy(identity.application());
        check(this.address);
        recount = new Recount(this.address, identity);
        membership = new Membership(this.address, identity);
        hints = new Hints(this.address, identity);
        LeaseOperations leases = new LeaseOperations(settings.get(BrokerKeys.DELIVERIES_MAX));
        leaseExpiry = new LeaseExpiry(this.address, leases, ledger, hints);
        lengths = new Lengths(this.address, ledger, recount::soon);
        cleaning = new Cleaning(this.address, settings.get(BrokerKeys.CLIENT_KEEP));
        boundsKeeper = new LowWaterMarksKeeper(this.address, bounds);
        vacuum = new Vacuum(this.address, ledger, bounds);
        accounts = settings.get(BrokerKeys.AUTH) == Authentication.NONE ? null : new DatabaseAccounts(this.address);
        topics = new TopicDirectory(accounts);
        limitsKeeper = new LimitsKeeper(this.address, directory.limits(), ledger, limitCounters);
        limitCounting = new LimitCounting(this.address, directory.limits(), ledger, limitCounters);
        membership.join();
        Duration timeout = settings.get(BrokerKeys.DB_TIMEOUT);
        SynchronousCommit commit = settings.get(BrokerKeys.DB_SYNCHRONOUS_COMMIT);
        pool = new ConnectionPool("mlmq", this.address, settings.get(BrokerKeys.DB_CONNECTIONS), timeout, commit);
        apart = new ConnectionPool("mlmq-apart", this.address, ROUTES_APART, timeout, commit);
        SingleCalls singles = new SingleCalls(directory, topics, identity, leases, settings, limits);
        batches = new BatchExecutor(this.address, directory, topics, bounds, singles, timeout, new Witness());
    }

    /** Passes outcomes of transactions to the lengths of queues, the waiting requests and the pools. */
    private final class Witness implements BatchExecutor.Witness {
        @Override
        public void committed(Changes changes) {
            changes.tell(directory.limits());
            changes.committed(ledger, hints);
            changes.count(limitCounters);
        }

        @Override
        public void failed(Connection connection, SQLException failure) {
            if (SqlStates.isReadOnly(failure)) {
                // The primary has become a standby, so no later request may use this connection.
                pool.evict(connection);
                apart.evict(connection);
            }
            if (SqlStates.isOutcomeUnknown(failure)) {
                // Nobody reports what the transaction stored and took, if it did.
                recount.soon();
            }
        }
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
        Stream<Agent> all = Stream.of(membership, leaseExpiry, lengths, cleaning, hints, boundsKeeper, vacuum, recount,
                accounts, limitsKeeper, limitCounting);
        return all.filter(Objects::nonNull).toList();
    }

    @Override
    public Accounts accounts() {
        return accounts;
    }

    @Override
    public Owned owned(Grant.Kind kind, int id) throws StorageException {
        Owned known = ownership.cached(kind, id);
        return known != null ? known : clearUp(connection -> ownership.load(connection, kind, id));
    }

    @Override
    public boolean isOwnerKnown(Grant.Kind kind, int id) {
        return ownership.cached(kind, id) != null;
    }

    @Override
    public int named(Grant.Kind kind, String name) throws StorageException {
        return clearUp(connection -> kind == Grant.Kind.TOPIC ? LimitTables.findTopic(connection, name)
                : LimitTables.find(connection, name));
    }

    @Override
    public LimitCounters limitCounters() {
        return limitCounters;
    }

    @Override
    public Reach reach() {
        return membership.isReachable() ? Reach.OK : Reach.AWAY;
    }

    @Override
    public PoolState pool() {
        return pool.state();
    }

    @Override
    public void execute(List<Call> calls) {
        execute(calls, WaitingCalls.NONE);
    }

    @Override
    public void execute(List<Call> calls, WaitingCalls waiting) {
        execute(pool, calls, waiting);
    }

    @Override
    public void executeApart(List<Call> calls) {
        execute(apart, calls, WaitingCalls.NONE);
    }

    private void execute(ConnectionPool from, List<Call> calls, WaitingCalls waiting) {
        long start = System.nanoTime();
        Connection connection;
        try {
            connection = from.take();
        } catch (SQLException e) {
            pooled(calls, start);
            batches.fail(calls, e);
            return;
        }
        pooled(calls, start);
        try {
            batches.execute(connection, calls, waiting);
        } catch (SQLException e) {
            batches.fail(calls, e);
        } finally {
            release(connection);
        }
    }

    private static void pooled(List<Call> calls, long start) {
        long end = System.nanoTime();
        calls.forEach(call -> call.pooled(start, end));
    }

    /** Returns the connection; a failure of it does not change responses that are already given. */
    private void release(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.warning(() -> "a connection is closed: " + address.unusable(e).getMessage());
        }
    }

    @Override
    public void offline(Collection<Session> sessions) throws StorageException {
        endSessions(sessions, "now()", false);
    }

    @Override
    public void goodbye(Collection<Session> sessions) throws StorageException {
        endSessions(sessions, TemporaryClientsCleaning.SEEN_AT_GOODBYE, true);
    }

    /**
     * Ends sessions.
     *
     * @param seenAt   SQL of the time at which the clients were seen last
     * @param forGood true if their subscriptions that are not durable end at once
     */
    private void endSessions(Collection<Session> sessions, String seenAt, boolean forGood) throws StorageException {
        String end = "UPDATE client SET broker_id = NULL, seen_at = " + seenAt
                + " FROM unnest(?::int[], ?::bigint[]) AS s(client, number) "
                + "WHERE id = s.client AND session = s.number AND broker_id IS NOT NULL";
        clearUp(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    forGood ? SubscriptionsCleaning.ofClients(end) : end)) {
                statement.setObject(1, sessions.stream().mapToInt(Session::client).toArray());
                statement.setObject(2, sessions.stream().mapToLong(Session::number).toArray());
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public void requeue(Collection<Message> messages) throws StorageException {
        clearUp(connection -> {
            connection.setAutoCommit(false);
            try {
                return requeueing.requeue(connection, messages);
            } finally {
                OpenTransaction.end(connection, address);
            }
        }).committed(ledger, hints);
    }

    /** Does the work; a failure of the connection after the commit does not undo it. */
    private <T> T clearUp(OwnConnection.Work<T> work) throws StorageException {
        Connection connection = null;
        try {
            connection = pool.take();
            return work.with(connection);
        } catch (SQLException e) {
            throw address.unusable(e);
        } finally {
            if (connection != null) {
                release(connection);
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
