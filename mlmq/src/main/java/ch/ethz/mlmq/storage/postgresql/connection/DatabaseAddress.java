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
 * Address and user of a database.
 *
 * @param url      {@code jdbc:postgresql://host:port/database}
 * @param user     name
 * @param password never shown
 * @param application name of its sessions, their {@code application_name}
 */
public record DatabaseAddress(String url, String user, String password, String application) {
    /** The environment variable that may hold the password. */
    public static final String PASSWORD_VARIABLE = "MLMQ_DB_PASSWORD";
    private static final String PREFIX = "jdbc:postgresql:";

    /** Makes an address whose sessions are named {@code mlmq}. */
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

    /**
     * Makes the address of a broker's database. The password is from the setting, else from its file, else from the
     * environment.
     */
    public static DatabaseAddress of(Settings settings) {
        String password = settings.get(BrokerKeys.DB_PASSWORD);
        return new DatabaseAddress(settings.get(BrokerKeys.DB_URL), settings.get(BrokerKeys.DB_USER),
                password.isEmpty() ? passwordFrom(settings.get(BrokerKeys.DB_PASSWORD_FILE)) : password);
    }

    /** @param file whose first line is the password; empty for the environment */
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

    /** @return the address of another database, with the same server and user */
    public DatabaseAddress withDatabase(String database) {
        int query = url.indexOf('?');
        String base = query < 0 ? url : url.substring(0, query);
        int host = base.startsWith("//", PREFIX.length()) ? PREFIX.length() + 2 : PREFIX.length();
        int slash = base.indexOf('/', host);
        String server = host > PREFIX.length() ? base.substring(0, slash < 0 ? base.length() : slash) + "/" : PREFIX;
        return new DatabaseAddress(server + database + (query < 0 ? "" : url.substring(query)), user, password,
                application);
    }

    /** @return this address; if its URL names no database, that of {@code postgres}, which a server usually has */
    public DatabaseAddress orPostgres() {
        String none = withDatabase("").url;
        boolean named = !url.equals(none) && !url.equals(none.replaceFirst("/(\\?|$)", "$1"));
        return named ? this : withDatabase("postgres");
    }

    /** @return the same address with another name of its sessions */
    public DatabaseAddress calledBy(String name) {
        return new DatabaseAddress(url, user, password, name);
    }

    /** Opens a connection outside of the pool, without a limit on a statement's time. */
    public Connection connect() throws SQLException {
        return connect(Duration.ZERO);
    }

    /**
     * Opens a connection outside of the pool, on which every wait for the server is limited.
     *
     * @param limit for a response of the server, after which the connection is closed; zero for none
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

    /** @return one line with the address and the reason why it cannot be used, without the password */
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
