package ch.ethz.mlmq.storage.postgresql.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.access.AccessException;
import ch.ethz.mlmq.storage.access.AccessStatement;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.access.Right;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Executes statements about users in the tables of a database. A statement locks the users that it names, so that none
 * of them is removed at the same moment.
 */
public final class AccountTables {
    private static final String HELD = " FROM account a WHERE a.name = %s FOR KEY SHARE";
    private static final String GRANT = "INSERT INTO permission AS p (account, kind, pattern, can_send, can_receive, "
            + "can_manage) SELECT v.* FROM (VALUES (?, ?, ?, ?, ?, ?)) AS v (account, kind, pattern, s, r, m) "
            + "WHERE v.account = '" + Grant.EVERYBODY + "' OR EXISTS (SELECT" + HELD.formatted("v.account")
            + ") ON CONFLICT (account, kind, pattern) DO UPDATE SET "
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
    private static final String JOIN = "INSERT INTO membership SELECT r.name, m.name FROM account r, account m "
            + "WHERE r.name = ? AND r.is_role AND m.name = ? AND NOT m.is_role FOR KEY SHARE ON CONFLICT DO NOTHING";
    /** Fails if the name belongs to another user already. */
    private static final String RESERVE = "INSERT INTO client_account SELECT c.id, a.name, now() FROM client c, "
            + "account a "
            + "WHERE c.name = ? AND a.name = ? AND NOT a.is_role FOR KEY SHARE "
            + "ON CONFLICT (client_id) DO UPDATE SET reserved_at = now() "
            + "WHERE client_account.account = excluded.account";
    private static final String SHOW = "SELECT name || CASE WHEN is_role THEN ' (role)' WHEN verifier IS NULL "
            + "THEN ' (by certificate only)' ELSE '' END FROM account ORDER BY name";
    private static final String MEMBERS = "SELECT 'grant ' || role || ' to ' || member FROM membership "
            + "ORDER BY role, member";

    private final Connection connection;

    /** @param connection in whose transaction statements are executed */
    public AccountTables(Connection connection) {
        this.connection = connection;
    }

    /**
     * Executes the statement.
     *
     * @return the lines to show
     * @throws AccessException if it is not possible, and nothing was changed
     */
    public String execute(AccessStatement statement) throws SQLException, AccessException {
        if (statement instanceof AccessStatement.CreateUser create) {
            return add(create.name(), create.verifier(), false);
        } else if (statement instanceof AccessStatement.CreateRole create) {
            return add(create.name(), null, true);
        } else if (statement instanceof AccessStatement.Password change) {
            require(update("UPDATE account SET verifier = ? WHERE name = ? AND NOT is_role", change.verifier().text(),
                    change.name()), "there is no user " + change.name());
            return "changed the password of user " + change.name();
        } else if (statement instanceof AccessStatement.Drop drop) {
            String what = (drop.isRole() ? "role " : "user ") + drop.name();
            require(update("DELETE FROM account WHERE name = ? AND is_role = ?::boolean", drop.name(),
                    Boolean.toString(drop.isRole())), "there is no " + what);
            return "removed " + what;
        } else if (statement instanceof AccessStatement.Membership change) {
            return member(change);
        } else if (statement instanceof AccessStatement.Change change) {
            return change(change.adds(), change.grant());
        } else if (statement instanceof AccessStatement.Reserve reserve) {
            return reserve(reserve);
        } else if (statement instanceof AccessStatement.Show) {
            return Stream.of(texts(SHOW), texts(MEMBERS), grants()).flatMap(List::stream)
                    .collect(Collectors.joining("\n"));
        }
        throw new AccessException("that is not known here");
    }

    private String add(String name, ScramVerifier verifier, boolean isRole) throws SQLException, AccessException {
        require(update("INSERT INTO account (name, verifier, is_role) VALUES (?, ?, ?::boolean) "
                + "ON CONFLICT DO NOTHING", name, verifier == null ? null : verifier.text(), Boolean.toString(isRole)),
                "there is a user or role " + name + " already");
        return "added " + (isRole ? "role " : "user ") + name;
    }

    private String member(AccessStatement.Membership change) throws SQLException, AccessException {
        if (change.adds()) {
            if (update(JOIN, change.role(), change.member()) == 0) {
                require(count("SELECT count(*) FROM account WHERE name = ? AND is_role", change.role()),
                        "there is no role " + change.role());
                require(count("SELECT count(*) FROM account WHERE name = ? AND NOT is_role", change.member()),
                        "there is no user " + change.member());
            }
            return "granted";
        }
        require(update("DELETE FROM membership WHERE role = ? AND member = ?", change.role(), change.member()),
                "user " + change.member() + " is no member of role " + change.role());
        return "revoked";
    }

    private String change(boolean adds, Grant grant) throws SQLException, AccessException {
        try (PreparedStatement statement = connection.prepareStatement(adds ? GRANT : REVOKE)) {
            statement.setString(1, grant.account());
            statement.setString(2, grant.kind().word());
            statement.setString(3, grant.pattern());
            for (Right right : Right.values()) {
                statement.setBoolean(4 + right.ordinal(), (grant.rights() & right.bit()) != 0);
            }
            if (adds) {
                require(statement.executeUpdate(), "there is no user or role " + grant.account());
                return "granted";
            }
            try (ResultSet count = statement.executeQuery()) {
                count.next();
                require(count.getInt(1), "there is nothing to revoke from " + grant.account() + " for that pattern");
                return "revoked";
            }
        }
    }

    private String reserve(AccessStatement.Reserve reserve) throws SQLException, AccessException {
        if (update(RESERVE, reserve.client(), reserve.user()) == 0) {
            require(count("SELECT count(*) FROM account WHERE name = ? AND NOT is_role", reserve.user()),
                    "there is no user " + reserve.user());
            require(count("SELECT count(*) FROM client WHERE name = ?", reserve.client()),
                    "there is no client " + reserve.client());
            throw new AccessException("client " + reserve.client() + " belongs to another user");
        }
        update("UPDATE access SET generation = generation + 1");
        return "client " + reserve.client() + " belongs to user " + reserve.user();
    }

    private List<String> grants() throws SQLException {
        return DatabaseAccounts.grants(connection).stream().map(Grant::toString).toList();
    }

    private List<String> texts(String sql) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }

    private int count(String sql, String value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, value);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    private int update(String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    private static void require(int rows, String otherwise) throws AccessException {
        if (rows == 0) {
            throw new AccessException(otherwise);
        }
    }
}
