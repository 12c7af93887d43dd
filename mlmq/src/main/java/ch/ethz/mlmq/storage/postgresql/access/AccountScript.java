package ch.ethz.mlmq.storage.postgresql.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.access.Right;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.schema.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Changes the users of a database. Brokers notice within a second. */
public final class AccountScript {
    private static final String GRANT = "INSERT INTO permission AS p SELECT v.* FROM (VALUES (?, ?, ?, ?, ?, ?)) "
            + "AS v (account, kind, pattern, s, r, m) WHERE v.account = '" + Grant.EVERYBODY + "' OR EXISTS (SELECT "
            + "FROM account a WHERE a.name = v.account) ON CONFLICT (account, kind, pattern) DO UPDATE SET "
            + "can_send = p.can_send OR excluded.can_send, can_receive = p.can_receive OR excluded.can_receive, "
            + "can_manage = p.can_manage OR excluded.can_manage";
    /** A grant without rights says nothing, and is not shown. */
    private static final String REVOKE = "WITH v (account, kind, pattern, s, r, m) AS (VALUES (?, ?, ?, ?, ?, ?)), "
            + "gone AS (DELETE FROM permission p USING v WHERE (p.account, p.kind, p.pattern) = (v.account, v.kind, "
            + "v.pattern) AND p.can_send <= v.s AND p.can_receive <= v.r AND p.can_manage <= v.m RETURNING 1), "
            + "less AS (UPDATE permission p SET can_send = p.can_send AND NOT v.s, can_receive = p.can_receive "
            + "AND NOT v.r, can_manage = p.can_manage AND NOT v.m FROM v WHERE (p.account, p.kind, p.pattern) = "
            + "(v.account, v.kind, v.pattern) AND NOT (p.can_send <= v.s AND p.can_receive <= v.r "
            + "AND p.can_manage <= v.m) AND (p.can_send AND v.s OR p.can_receive AND v.r OR p.can_manage AND v.m) "
            + "RETURNING 1) "
            + "SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM less)";

    private final DatabaseAddress address;

    public AccountScript(DatabaseAddress address) {
        this.address = address;
    }

    @FunctionalInterface
    private interface Work<T> {
        T with(Connection connection) throws SQLException, StorageException;
    }

    /**
     * Adds a user.
     *
     * @param verifier of its password; null for a user that signs in by certificate
     * @throws StorageException also if there is such a user
     */
    public void add(String name, ScramVerifier verifier) throws StorageException {
        if (update("INSERT INTO account (name, verifier) VALUES (?, ?) ON CONFLICT DO NOTHING", name,
                verifier == null ? null : verifier.text()) == 0) {
            throw new StorageException("there is a user " + name + " already", null);
        }
    }

    /** Changes the password of a user. Connections that have signed in stay. */
    public void password(String name, ScramVerifier verifier) throws StorageException {
        found(name, update("UPDATE account SET verifier = ? WHERE name = ?", verifier.text(), name));
    }

    /** Removes a user. Its connections are closed; names of its clients stay its own until they are removed. */
    public void remove(String name) throws StorageException {
        found(name, update("WITH less AS (DELETE FROM permission WHERE account IN (SELECT name FROM account "
                + "WHERE name = ?)) DELETE FROM account WHERE name = ?", name, name));
    }

    /** Grants or revokes rights. @throws StorageException also if there is no such user, or nothing to revoke */
    public void change(Grant.Change change) throws StorageException {
        Grant grant = change.grant();
        int rows = work(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(change.adds() ? GRANT : REVOKE)) {
                statement.setString(1, grant.account());
                statement.setString(2, grant.kind().word());
                statement.setString(3, grant.pattern());
                for (Right right : Right.values()) {
                    statement.setBoolean(4 + right.ordinal(), (grant.rights() & right.bit()) != 0);
                }
                if (change.adds()) {
                    return statement.executeUpdate();
                }
                try (ResultSet count = statement.executeQuery()) {
                    count.next();
                    return count.getInt(1);
                }
            }
        });
        if (rows == 0) {
            throw new StorageException(change.adds() ? "there is no user " + grant.account()
                    : "there is nothing to revoke from " + grant.account() + " for that pattern", null);
        }
    }

    /** @return a line for each user, then the statement of each grant */
    public List<String> list() throws StorageException {
        return work(connection -> {
            List<String> lines = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT name, verifier IS NOT NULL FROM account ORDER BY name");
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lines.add(rows.getString(1) + (rows.getBoolean(2) ? "" : " (by certificate only)"));
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(DatabaseAccounts.GRANTS);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lines.add(new Grant(rows.getString(1),
                            Grant.Kind.valueOf(rows.getString(2).toUpperCase(Locale.ROOT)), rows.getString(3),
                            rows.getInt(4)).toString());
                }
            }
            return lines;
        });
    }

    private static void found(String name, int rows) throws StorageException {
        if (rows == 0) {
            throw new StorageException("there is no user " + name, null);
        }
    }

    private int update(String sql, String... values) throws StorageException {
        return work(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setString(i + 1, values[i]);
                }
                return statement.executeUpdate();
            }
        });
    }

    private <T> T work(Work<T> work) throws StorageException {
        try (Connection connection = address.connect()) {
            Schema.check(connection);
            return work.with(connection);
        } catch (SQLException e) {
            throw address.unusable(e);
        }
    }
}
