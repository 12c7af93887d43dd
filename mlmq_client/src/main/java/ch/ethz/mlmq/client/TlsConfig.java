package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * TLS of a client's connections, version 1.2 or 1.3. The broker's certificate must lead to an authority that the client
 * trusts, and name the host that the client connects to. Any number of clients may share it.
 */
public final class TlsConfig {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final SSLContext context;
    private final boolean verifiesHost;

    private TlsConfig(SSLContext context, boolean verifiesHost) {
        this.context = context;
        this.verifiesHost = verifiesHost;
    }

    /** Trusts the authorities that the JVM trusts. */
    public static TlsConfig trustingTheJvm() {
        return of(null, null, null);
    }

    /** @param authorities PEM file with the certificates of the authorities to trust */
    public static TlsConfig trusting(Path authorities) {
        return of(authorities, null, null);
    }

    /**
     * Files are in PEM and read once, here.
     *
     * @param authorities certificates of the authorities to trust; null for those that the JVM trusts
     * @param certificate the client's own certificate, for brokers that ask for one; null for none
     * @param key         its unencrypted private key, in PKCS #8; null for none
     * @throws IllegalArgumentException if a file cannot be read or used; the message names it
     */
    public static TlsConfig of(Path authorities, Path certificate, Path key) {
        try {
            return new TlsConfig(new TlsFiles(certificate, key, authorities).read(), true);
        } catch (IOException e) {
            throw new IllegalArgumentException("TLS: " + e.getMessage(), e);
        }
    }

    /** @return the same for certificates that name any host, so that any holder of one can pose as the broker */
    public TlsConfig withoutHostVerification() {
        return new TlsConfig(context, false);
    }

    SSLEngine engine(BrokerAddress address) {
        SSLEngine engine = context.createSSLEngine(address.host(), address.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        if (verifiesHost) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        engine.setSSLParameters(parameters);
        return engine;
    }
}
