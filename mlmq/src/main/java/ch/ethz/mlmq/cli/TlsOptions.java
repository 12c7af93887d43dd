package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.client.TlsConfig;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of commands that connect to a broker with TLS. */
final class TlsOptions {
    @Option(names = "--tls", description = "Connect with TLS.")
    private boolean tls;

    @Option(names = "--tls-authorities", paramLabel = "FILE", description = "Trust the authorities of this PEM file, "
            + "instead of those that the JVM trusts.")
    private Path authorities;

    @Option(names = "--tls-certificate", paramLabel = "FILE", description = "Show the certificate of this PEM file to "
            + "the broker.")
    private Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "PEM file with the certificate's private key.")
    private Path key;

    /**
     * @return null for connections in the clear
     * @throws IllegalArgumentException if a file cannot be used, or an option is without its partner
     */
    TlsConfig config() {
        if (tls) {
            return TlsConfig.of(authorities, certificate, key);
        }
        if (authorities != null || certificate != null || key != null) {
            throw new IllegalArgumentException("--tls-authorities, --tls-certificate and --tls-key need --tls");
        }
        return null;
    }
}
