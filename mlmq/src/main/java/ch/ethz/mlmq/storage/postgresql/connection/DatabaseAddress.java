package ch.ethz.mlmq.storage.postgresql.connection;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/**
 * Which database, and who asks it.
 *
 * @param url      {@code jdbc:postgresql://host:port/database}
 * @param user     name
 * @param password never shown
 * @param application what its sessions are called: their {@code application_name}
 */
public record DatabaseAddress(String url, String user, String password, String application) {
    /** Where the password may stand in the environment. */
    public static final String PASSWORD_VARIABLE = "MLMQ_DB_PASSWORD";
    private static final String PREFIX = "jdbc:postgresql:";

    /** An address whose sessions are called {@code mlmq}. */
    public DatabaseAddress(String url, String user, String password) {
        this(url, user, password, "mlmq");
    }

    public DatabaseAddress {
        if (!url.startsWith(PREFIX)) {
            throw new ConfigurationException("the URL of a database must read jdbc:postgresql://host:port/database, "
                    + "not "
                    + withoutPassword(url));
        }
    }

    /** The database of a broker; the password from the setting, else from its file, else from the environment. */
    public static DatabaseAddress of(Settings settings) {
        String password = settings.get(BrokerKeys.DB_PASSWORD);
        return new DatabaseAddress(settings.get(BrokerKeys.DB_URL), settings.get(BrokerKeys.DB_USER),
                password.isEmpty() ? passwordFrom(settings.get(BrokerKeys.DB_PASSWORD_FILE)) : password);
    }

    /** @param file whose first line is the password; where it is empty the environment is asked */
    public static String passwordFrom(String file) {
        if (file.isEmpty()) {
            String variable = System.getenv(PASSWORD_VARIABLE);
            return variable == null ? "" : variable;
        }
        try {
            return Files.readString(Path.of(file)).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw ConfigurationException.unreadable("password file " + file, e);
        }
    }

    /** @return the same server and user, another database */
    public DatabaseAddress withDatabase(String database) {
        int query = url.indexOf('?');
        String base = query < 0 ? url : url.substring(0, query);
        int slash = base.lastIndexOf('/');
        String server = slash >= PREFIX.length() ? base.substring(0, slash + 1) : PREFIX;
        return new DatabaseAddress(server + database + (query < 0 ? "" : url.substring(query)), user, password,
                application);
    }

    /** @return the same, its sessions called otherwise */
    public DatabaseAddress calledBy(String name) {
        return new DatabaseAddress(url, user, password, name);
    }

    /** Opens a connection of its own, not a pooled one, on which a statement may take as long as it takes. */
    public Connection connect() throws SQLException {
        return connect(Duration.ZERO);
    }

    /**
     * Opens a connection of its own on which every wait for the server ends.
     *
     * @param limit for an answer of the server, before the connection is given up; zero for none
     */
    public Connection connect(Duration limit) throws SQLException {
        Properties properties = new Properties();
        if (!limit.isZero()) {
            properties.setProperty("socketTimeout", Long.toString(Math.max(1, limit.toSeconds())));
        }
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("user", user);
        if (!password.isEmpty()) {
            properties.setProperty("password", password);
        }
        properties.setProperty("connectTimeout", "10");
        properties.setProperty("loginTimeout", "20");
        properties.setProperty("ApplicationName", application);
        return DriverManager.getConnection(url, properties);
    }

    /** @return one line that names the address and why it cannot be used, without the password */
    public StorageException unusable(Exception cause) {
        String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new StorageException("cannot use the database " + this + ": "
                + (password.isEmpty() ? reason : reason.replace(password, "…")), cause);
    }

    @Override
    public String toString() {
        return withoutPassword(url) + " as " + user;
    }

    private static String withoutPassword(String url) {
        return url.replaceAll("(?i)(password=)[^&]*", "$1…").replaceAll("(//[^/:@]*:)[^@]*@", "$1…@");
    }
}
