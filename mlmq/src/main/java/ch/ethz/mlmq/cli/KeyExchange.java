package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.TlsMode;

/**
 * The keys of load clients' TLS connections. The JDK makes one of X25519 and one of P-256 for each connection, of which
 * a broker takes the first; the second costs more than the rest of the handshake.
 */
final class KeyExchange {
    /** A property of the JVM, which the JDK reads once, before the first connection. */
    private static final String GROUPS = "jdk.tls.namedGroups";

    private KeyExchange() {
    }

    /** Has this JVM offer X25519 alone, if clients use TLS and its command line names no groups. */
    static void prepare(Settings settings) {
        if (settings.get(ClientKeys.TLS) != TlsMode.DISABLE && System.getProperty(GROUPS) == null) {
            System.setProperty(GROUPS, "x25519");
        }
    }
}
