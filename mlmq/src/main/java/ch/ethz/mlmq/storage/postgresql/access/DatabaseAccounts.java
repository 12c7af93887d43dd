package ch.ethz.mlmq.storage.postgresql.access;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.access.Account;
import ch.ethz.mlmq.storage.access.AccountDirectory;
import ch.ethz.mlmq.storage.access.Accounts;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.logging.Logger;

/**
 * Keeps the users of the database in memory, so that a stranger's sign-in needs no connection to the database. It reads
 * the generation, one row, four times a second, and the rest only when that has changed: a change is in force within a
 * second even if a notification is lost.
 */
public final class DatabaseAccounts implements Agent, Accounts {
    private static final Logger LOG = Logger.getLogger(DatabaseAccounts.class.getName());
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** The rights are a sum of {@code Right#bit()}. */
    private static final String GRANTS = "SELECT account, kind, pattern, can_send::int + 2 * can_receive::int "
            + "+ 4 * can_manage::int FROM permission ORDER BY account, kind, pattern";

    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final Outage outage = new Outage(LOG, "reading users");
    private final Every period = Every.after(PERIOD);
    private long generation;
    private volatile long readNanos;
    private volatile AccountDirectory current;
    private volatile BiConsumer<AccountDirectory, AccountDirectory> listener = (before, now) -> { };

    /** Reads the users. @throws StorageException if the database does not answer */
    public DatabaseAccounts(DatabaseAddress address) throws StorageException {
        this.address = address;
        this.connection = new OwnConnection(address, LIMIT, "SET default_transaction_isolation = 'repeatable read'");
        try {
            connection.transact(this::refresh);
        } catch (SQLException e) {
            throw address.unusable(e);
        }
    }

    @Override
    public AccountDirectory current() {
        return current;
    }

    @Override
    public boolean isStale() {
        return System.nanoTime() - readNanos > STALE_NANOS;
    }

    @Override
    public void onChange(BiConsumer<AccountDirectory, AccountDirectory> changed) {
        listener = changed;
    }

    @Override
    public String roleName() {
        return "accounts";
    }

    @Override
    public int doWork() {
        if (!period.isDue(System.nanoTime())) {
            return 0;
        }
        AccountDirectory before = current;
        try {
            connection.transact(this::refresh);
            outage.worked();
        } catch (SQLException e) {
            outage.failed(address.unusable(e).getMessage(), e);
        }
        if (current == before) {
            return 0;
        }
        listener.accept(before, current);
        return 1;
    }

    @Override
    public void onClose() {
        connection.close();
    }

    private Void refresh(Connection open) throws SQLException {
        long begun = System.nanoTime();
        try (Statement statement = open.createStatement();
                ResultSet access = statement.executeQuery("SELECT generation, secret FROM access")) {
            if (!access.next()) {
                throw new SQLException("the table access has no row; repair it: INSERT INTO access DEFAULT VALUES");
            }
            long now = access.getLong(1);
            if (current == null || now != generation) {
                current = new AccountDirectory(access.getBytes(2), accounts(open), roles(open), roleNames(open),
                        grants(open), reservations(open));
                generation = now;
            }
            readNanos = begun;
            return null;
        }
    }

    private static Map<String, Account> accounts(Connection open) throws SQLException {
        Map<String, Account> accounts = new HashMap<>();
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, verifier, "
                        + "(extract(epoch FROM created_at) * 1000000)::bigint FROM account WHERE NOT is_role")) {
            while (rows.next()) {
                String name = rows.getString(1);
                accounts.put(name, new Account(name, rows.getLong(3), verifier(name, rows.getString(2))));
            }
        }
        return accounts;
    }

    /** @return since when each client's name is one of a user, where somebody has decided that */
    private static Map<String, Long> reservations(Connection open) throws SQLException {
        Map<String, Long> reservations = new HashMap<>();
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 'client ' || c.name || ' of user ' || a.account, "
                        + "(extract(epoch FROM a.reserved_at) * 1000000)::bigint FROM client_account a "
                        + "JOIN client c ON c.id = a.client_id WHERE a.reserved_at IS NOT NULL")) {
            while (rows.next()) {
                reservations.put(rows.getString(1), rows.getLong(2));
            }
        }
        return reservations;
    }

    private static Set<String> roleNames(Connection open) throws SQLException {
        Set<String> names = new HashSet<>();
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name FROM account WHERE is_role")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static Map<String, List<String>> roles(Connection open) throws SQLException {
        Map<String, List<String>> roles = new HashMap<>();
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT member, role FROM membership ORDER BY role")) {
            while (rows.next()) {
                roles.computeIfAbsent(rows.getString(1), member -> new ArrayList<>()).add(rows.getString(2));
            }
        }
        return roles;
    }

    /** @return all grants */
    static List<Grant> grants(Connection open) throws SQLException {
        List<Grant> grants = new ArrayList<>();
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery(GRANTS)) {
            while (rows.next()) {
                grants.add(new Grant(rows.getString(1), Grant.Kind.valueOf(rows.getString(2).toUpperCase(Locale.ROOT)),
                        rows.getString(3), rows.getInt(4)));
            }
        }
        return grants;
    }

    /** A user whose verifier was damaged cannot sign in; the others can. */
    private static ScramVerifier verifier(String name, String text) {
        try {
            return text == null ? null : ScramVerifier.parse(text);
        } catch (IllegalArgumentException e) {
            LOG.warning(() -> "user " + name + " has no valid verifier: " + e.getMessage());
            return null;
        }
    }
}
