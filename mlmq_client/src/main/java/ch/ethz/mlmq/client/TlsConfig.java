package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * TLS of a client's connections, version 1.2 or 1.3. The broker's certificate must lead to an authority that the client
 * trusts, and name the host that the client connects to. Any number of clients may share it.
 */
public final class TlsConfig {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /** A port of the JDK is a positive integer. */
    private static final int SLOTS = 1 << 15;
    private static final int PORTS = 1 << 16;

    private final SSLContext context;
    private final boolean verifiesHost;
    private final BitSet taken = new BitSet();

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

    /**
     * Lends a slot to a client, which resumes the sessions of the slot. The JDK keeps only the last session for a host
     * and port, and resumes it once: clients that connect at the same time would take it from each other.
     */
    synchronized int lendSlot() {
        int slot = taken.nextClearBit(0);
        taken.set(slot);
        return slot;
    }

    synchronized void giveBack(int slot) {
        taken.clear(slot);
    }

    SSLEngine engine(BrokerAddress address, int slot) {
        SSLEngine engine = context.createSSLEngine(address.host(), address.port() + slot % SLOTS * PORTS);
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
