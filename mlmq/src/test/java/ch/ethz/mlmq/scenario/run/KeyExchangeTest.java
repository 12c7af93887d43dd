package ch.ethz.mlmq.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The keys that load clients offer in the first message of a TLS connection. */
@Timeout(120)
@SuppressWarnings("try")
class KeyExchangeTest {
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int LENGTH_AT = 3;
    /** The extension with the supported groups, whose only one is X25519. */
    private static final String X25519_ALONE = "000a" + "0004" + "0002" + "001d";

    /** An alert in the clear. */
    private static final String HANDSHAKE_FAILURE = "15" + "0303" + "0002" + "0228";

    @TempDir
    Path folder;

    @Test
    void shouldOfferX25519AloneFromTheCommandLoad() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                MlmqProcess load = MlmqProcess.start(folder, "load", "--broker", address(server), "--clients", "1",
                        "--set", "client.tls=verify_full")) {
            assertThat(hello(server)).contains(X25519_ALONE);
        }
    }

    @Test
    void shouldOfferX25519AloneFromTheCommandScenario() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path config = Files.writeString(folder.resolve("config.properties"), String.join("\n",
                    "common.scenario.mytype=client",
                    "common.scenario.mapping.broker=Broker#" + address(server),
                    "common.scenario.mapping.client=Echo#127.0.0.1", "client.tls=verify_full"));
            try (MlmqProcess load = MlmqProcess.start(folder, "scenario", "-config", config.toString())) {
                assertThat(hello(server)).contains(X25519_ALONE);
            }
        }
    }

    @Test
    void shouldSayWhatItOffersIfTheBrokerHasNoSuchKeys() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                MlmqProcess load = MlmqProcess.start(folder, "load", "--broker", address(server), "--clients", "1",
                        "--set", "client.connect.within=2s", "--set", "client.tls=verify_full")) {
            Thread refusing = new Thread(() -> refuseAll(server));
            refusing.setDaemon(true);
            refusing.start();

            assertThat(load.exitCode()).isEqualTo(1);
            assertThat(load.err()).contains("handshake_failure", "jdk.tls.namedGroups=x25519");
        }
    }

    private static void refuseAll(ServerSocket server) {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    client.getInputStream().readNBytes(RECORD_HEADER_BYTES);
                    client.getOutputStream().write(HexFormat.of().parseHex(HANDSHAKE_FAILURE));
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static String address(ServerSocket server) {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** @return the first record that a client sends, in hexadecimal digits */
    private static String hello(ServerSocket server) throws Exception {
        server.setSoTimeout(60_000);
        try (Socket client = server.accept()) {
            client.setSoTimeout(60_000);
            DataInputStream in = new DataInputStream(client.getInputStream());
            byte[] header = in.readNBytes(RECORD_HEADER_BYTES);
            int length = (header[LENGTH_AT] & 0xff) << Byte.SIZE | header[LENGTH_AT + 1] & 0xff;
            return HexFormat.of().formatHex(in.readNBytes(length));
        }
    }
}
