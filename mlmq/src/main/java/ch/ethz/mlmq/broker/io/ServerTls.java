package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.TlsClients;
import ch.ethz.mlmq.protocol.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * TLS of a broker's port, version 1.2 or 1.3. As an agent it reads the files again when they have changed; connections
 * that are open keep what they have. Files that cannot be used change nothing.
 */
public final class ServerTls implements Agent {
    /** Time between two looks at the files. */
    public static final Duration IDLE = Duration.ofSeconds(1);
    private static final Logger LOG = Logger.getLogger(ServerTls.class.getName());
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    /** Ciphers with forward secrecy and authentication of what they encrypt. */
    private static final String[] CIPHERS = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384",
        "TLS_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"};

    static {
        // A client of TLS 1.2 could otherwise ask for one handshake after the other.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final TlsFiles files;
    private final TlsClients clients;
    private Map<Path, FileTime> seen;
    private volatile SSLContext context;

    private ServerTls(TlsFiles files, TlsClients clients) throws IOException {
        this.files = files;
        this.clients = clients;
        this.seen = times();
        this.context = files.read();
    }

    /**
     * @return null if the settings name no certificate
     * @throws ConfigurationException if settings contradict each other, or a file cannot be used
     */
    public static ServerTls of(Settings settings) {
        Path certificate = path(settings.get(BrokerKeys.TLS_CERTIFICATE));
        Path key = path(settings.get(BrokerKeys.TLS_KEY));
        Path authorities = path(settings.get(BrokerKeys.TLS_AUTHORITIES));
        TlsClients clients = settings.get(BrokerKeys.TLS_CLIENTS);
        if ((certificate == null) != (key == null)) {
            throw new ConfigurationException("set both " + BrokerKeys.TLS_CERTIFICATE.name() + " and "
                    + BrokerKeys.TLS_KEY.name() + ", or none of them");
        }
        if (certificate == null && (authorities != null || clients != TlsClients.NONE)) {
            throw new ConfigurationException(BrokerKeys.TLS_CLIENTS.name() + " and " + BrokerKeys.TLS_AUTHORITIES.name()
                    + " need " + BrokerKeys.TLS_CERTIFICATE.name());
        }
        if ((clients != TlsClients.NONE) != (authorities != null)) {
            throw new ConfigurationException(BrokerKeys.TLS_AUTHORITIES.name()
                    + " names the authorities of the clients that " + BrokerKeys.TLS_CLIENTS.name()
                    + "=ask or =require checks: set both, or none of them");
        }
        try {
            return certificate == null ? null : new ServerTls(new TlsFiles(certificate, key, authorities), clients);
        } catch (IOException e) {
            throw new ConfigurationException("TLS: " + e.getMessage(), e);
        }
    }

    private static Path path(String name) {
        return name.isEmpty() ? null : Path.of(name);
    }

    /** @return the side of the broker for one connection; any thread may call this */
    SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setCipherSuites(CIPHERS);
        parameters.setUseCipherSuitesOrder(true);
        parameters.setWantClientAuth(clients == TlsClients.ASK);
        if (clients == TlsClients.REQUIRE) {
            parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public String roleName() {
        return "tls-files";
    }

    @Override
    public int doWork() {
        Map<Path, FileTime> now = times();
        if (!now.equals(seen)) {
            seen = now;
            try {
                context = files.read();
                LOG.info("TLS: the files have changed, and new connections use them");
            } catch (IOException e) {
                LOG.warning(() -> "TLS: the files have changed and cannot be used, so those before stay in force: "
                        + e.getMessage());
            }
        }
        return 0;
    }

    /** A file that cannot be read has no time. */
    private Map<Path, FileTime> times() {
        Map<Path, FileTime> times = new HashMap<>();
        for (Path file : files.all()) {
            try {
                times.put(file, Files.getLastModifiedTime(file));
            } catch (IOException e) {
                times.remove(file);
            }
        }
        return times;
    }
}
