package ch.ethz.mlmq.broker.access;

import ch.ethz.mlmq.broker.audit.AuditLog;
import ch.ethz.mlmq.config.Anonymous;
import ch.ethz.mlmq.config.Authentication;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.config.TlsClients;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.scram.Scram;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.access.Account;
import ch.ethz.mlmq.storage.access.AccountDirectory;
import ch.ethz.mlmq.storage.access.Accounts;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.access.Right;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/** How a broker knows its users. Any thread may use it. */
public final class Users {
    /** As a property of the JVM, where the properties file may be that of an older broker. */
    private static final String ANONYMOUS_PROPERTY = "mlmq.broker.anonymous";

    private final Authentication authentication;
    private final Accounts accounts;
    private final Permissions permissions;
    private final Attempts attempts = new Attempts();
    private final AuditLog audit;

    /** @param audit writes down what users do */
    public Users(Settings settings, Storage storage, AuditLog audit) {
        this.audit = audit;
        this.authentication = settings.get(BrokerKeys.AUTH);
        this.accounts = storage.accounts();
        this.permissions = accounts == null ? null : new Permissions(storage);
    }

    /** @return what the users may do; null where nobody signs in */
    public Permissions permissions() {
        return permissions;
    }

    /**
     * Checks whether the settings contradict each other.
     *
     * @param host the broker listens on
     * @throws ConfigurationException also if strangers would reach the broker, and nobody has said that they may
     */
    public static void check(Settings settings, String host) {
        Authentication authentication = settings.get(BrokerKeys.AUTH);
        String setting = BrokerKeys.AUTH.name() + "=" + authentication.name().toLowerCase(Locale.ROOT);
        if (authentication == Authentication.NONE) {
            if (settings.get(BrokerKeys.ANONYMOUS) == Anonymous.LOOPBACK && !isLoopback(host)
                    && !"anywhere".equals(System.getProperty(ANONYMOUS_PROPERTY))) {
                throw new ConfigurationException("with " + setting + " everybody who reaches " + host + " could use "
                        + "all queues. Set " + BrokerKeys.AUTH.name() + "=scram, or "
                        + BrokerKeys.ANONYMOUS.name() + "=anywhere if the network is to be trusted");
            }
            return;
        }
        if (settings.get(BrokerKeys.STORAGE) != StorageKind.POSTGRESQL) {
            throw new ConfigurationException(setting + " needs " + BrokerKeys.STORAGE.name()
                    + "=postgresql, where the users are");
        }
        if (authentication == Authentication.CERTIFICATE
                && settings.get(BrokerKeys.TLS_CLIENTS) != TlsClients.REQUIRE) {
            throw new ConfigurationException(setting + " needs " + BrokerKeys.TLS_CLIENTS.name() + "=require");
        }
    }

    /** A name that cannot be looked up is no address to listen on, which is found out later. */
    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return true;
        }
    }

    /** @return true if a client must be a user */
    public boolean areNeeded() {
        return authentication != Authentication.NONE;
    }

    /** @param binding of the connection; null if it has none. @return by which clients sign in; empty for none */
    public String offered(byte[] binding) {
        return authentication == Authentication.SCRAM ? String.join(" ", mechanisms(binding)) : "";
    }

    static List<String> mechanisms(byte[] binding) {
        return binding == null ? List.of(Scram.MECHANISM) : List.of(Scram.MECHANISM_PLUS, Scram.MECHANISM);
    }

    /** @return a sign-in with a password; null if there are no passwords here */
    public SignIn signIn(String address, byte[] binding) {
        return authentication == Authentication.SCRAM ? new SignIn(this, address, binding) : null;
    }

    /** @param name in the certificate, or null. @return the user, or null if there is none or names do not count */
    public Account certified(String name) {
        return authentication == Authentication.CERTIFICATE && name != null ? directory().account(name) : null;
    }

    /** @return null if the user may read the broker's status. @param account null where nobody signs in */
    public Response.Failure refusedStatus(Account account) {
        return permissions == null || permissions.mayReadStatus(account.name()) ? null
                : Permissions.refused(account.name(), Right.RECEIVE, Grant.Kind.BROKER, "");
    }

    /** @return true if the user was removed since it signed in */
    public boolean isGone(Account account) {
        if (account == null) {
            return false;
        }
        Account now = directory().account(account.name());
        return now == null || now.since() != account.since();
    }

    /** @return what writes down what users do */
    public AuditLog audit() {
        return audit;
    }

    AccountDirectory directory() {
        return accounts.current();
    }

    Attempts attempts() {
        return attempts;
    }
}
