package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Limits;
import java.net.InetAddress;
import java.util.List;

/**
 * Addresses of a client's brokers, and its limits.
 *
 * @param brokers              tried in this order, and from the first again after the last
 * @param inflightMax          most requests in flight; requests are also refused while more than four of the longest
 * frames wait to be sent
 * @param requestTimeoutMillis longest time until the response [ms]; for a query that waits, in addition to its wait
 * @param connecting           how connections are established
 * @param maxPayloadBytes      longest frame sent or accepted, without its length [bytes]; at least 8,192 more than the
 * broker's longest message
 * @param security             encryption, and the user whose client it is
 */
public record ClientConfig(List<BrokerAddress> brokers, int inflightMax, int requestTimeoutMillis,
                           Connecting connecting, int maxPayloadBytes, Security security) {
    private static final int GREATEST_INFLIGHT = 1 << 20;
    /**
     * Longer than a busy broker's limits for its request queue and its database (5 s each), so that its response gives
     * the reason of a failure.
     */
    private static final int DEFAULT_REQUEST_TIMEOUT_MILLIS = 15_000;

    /**
     * Pauses between attempts to connect, doubled after each failed round.
     *
     * @param minMillis approximate first pause [ms]
     * @param maxMillis largest pause [ms]
     */
    public record Pauses(int minMillis, int maxMillis) {
        public Pauses {
            atLeast("reconnect backoff [ms]", minMillis, 1);
            atLeast("greatest reconnect backoff [ms]", maxMillis, minMillis);
        }
    }

    /**
     * The establishment of connections.
     *
     * @param timeoutMillis longest time until a connection is established [ms]
     * @param pauses        between attempts
     * @param source        address of this machine that they come from; null for the one that the system chooses
     */
    public record Connecting(int timeoutMillis, Pauses pauses, InetAddress source) {
        public Connecting {
            atLeast("connect timeout [ms]", timeoutMillis, 1);
        }
    }

    /**
     * Protection of the connections.
     *
     * @param tls         encrypts them; null for connections in the clear
     * @param credentials of the user; null for none
     */
    public record Security(TlsConfig tls, Credentials credentials) {
    }

    public ClientConfig {
        brokers = List.copyOf(brokers);
        if (brokers.isEmpty()) {
            throw new IllegalArgumentException("a client needs the address of at least one broker");
        }
        atLeast("inflight.max", inflightMax, 1);
        if (inflightMax > GREATEST_INFLIGHT) {
            throw new IllegalArgumentException("inflight.max is at most " + GREATEST_INFLIGHT + ", not " + inflightMax);
        }
        atLeast("timeout [ms]", requestTimeoutMillis, 1);
        atLeast("longest frame [bytes]", maxPayloadBytes, 1_024);
    }

    /** @param brokers {@code host:port,host:port}, first choice first */
    public static ClientConfig of(String brokers) {
        return builder().brokers(BrokerAddress.parseList(brokers)).build();
    }

    /** @return what encrypts the connections; null for connections in the clear */
    public TlsConfig tls() {
        return security.tls;
    }

    /** @return the user and its password; null for none */
    public Credentials credentials() {
        return security.credentials;
    }

    public static Builder builder() {
        return new Builder();
    }

    private static void atLeast(String what, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException("the " + what + " of a client is at least " + least + ", not " + value);
        }
    }

    /** Collects values that differ from the defaults. */
    public static final class Builder {
        private List<BrokerAddress> brokers = List.of();
        private int inflightMax = 1_000;
        private int requestTimeoutMillis = DEFAULT_REQUEST_TIMEOUT_MILLIS;
        private int connectTimeoutMillis = 3_000;
        private Pauses pauses = new Pauses(50, 5_000);
        private InetAddress source;
        private int maxPayloadBytes = Limits.DEFAULT_PAYLOAD_BYTES;
        private TlsConfig tls;
        private Credentials credentials;

        private Builder() {
        }

        public Builder brokers(List<BrokerAddress> addresses) {
            brokers = addresses;
            return this;
        }

        public Builder inflightMax(int requests) {
            inflightMax = requests;
            return this;
        }

        public Builder requestTimeoutMillis(int millis) {
            requestTimeoutMillis = millis;
            return this;
        }

        public Builder connectTimeoutMillis(int millis) {
            connectTimeoutMillis = millis;
            return this;
        }

        public Builder backoffMillis(int min, int max) {
            pauses = new Pauses(min, max);
            return this;
        }

        /** @param address of this machine that connections come from; null for the one that the system chooses */
        public Builder source(InetAddress address) {
            source = address;
            return this;
        }

        public Builder maxPayloadBytes(int bytes) {
            maxPayloadBytes = bytes;
            return this;
        }

        /** @param config of encrypted connections; null for connections in the clear */
        public Builder tls(TlsConfig config) {
            tls = config;
            return this;
        }

        /** @param user and its password; null for brokers that ask for none */
        public Builder credentials(Credentials user) {
            credentials = user;
            return this;
        }

        public ClientConfig build() {
            return new ClientConfig(brokers, inflightMax, requestTimeoutMillis,
                    new Connecting(connectTimeoutMillis, pauses, source), maxPayloadBytes,
                    new Security(tls, credentials));
        }
    }
}
