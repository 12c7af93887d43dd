package ch.ethz.mlmq.storage.postgresql.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.access.AccessException;
import ch.ethz.mlmq.storage.access.AccessStatement;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.schema.Schema;
import java.sql.Connection;
import java.sql.SQLException;

/** Executes statements about users from outside of a broker. Brokers notice changes within a second. */
public final class AccountScript {
    private final DatabaseAddress address;

    public AccountScript(DatabaseAddress address) {
        this.address = address;
    }

    /** Adds a user. @param verifier of its password; null for a user that signs in by certificate */
    public String add(String name, ScramVerifier verifier) throws StorageException {
        return execute(new AccessStatement.CreateUser(name, verifier));
    }

    /** Executes a statement such as {@code grant readers to alice}. */
    public String execute(String statement) throws StorageException {
        return execute(AccessStatement.parse(statement));
    }

    /**
     * Executes a statement.
     *
     * @return the lines to show
     * @throws StorageException also if the statement is not possible, such as a second user of the same name
     */
    public String execute(AccessStatement statement) throws StorageException {
        try (Connection connection = address.connect()) {
            Schema.check(connection);
            return new AccountTables(connection).execute(statement);
        } catch (AccessException e) {
            throw new StorageException(e.getMessage(), null);
        } catch (SQLException e) {
            throw address.unusable(e);
        }
    }
}
