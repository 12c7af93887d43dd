package ch.ethz.mlmq.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
    private static final String TOKEN = "a token of some length";
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void shouldTellMedianAndP99() {
        Times times = new Times(LongStream.rangeClosed(1, 200).map(n -> (201 - n) * 1_000).toArray());

        assertThat(times.median()).isEqualTo(100);
        assertThat(times.p99()).isEqualTo(198);
        assertThat(times.toJson()).hasToString("{\"median_us\":100.000,\"p99_us\":198.000,\"count\":200}");
    }

    @Test
    void shouldTimeAsManyFlushesAsAskedForAndLeaveNothingBehind() throws Exception {
        Times times = DiskFlush.measure(folder, 10, LONG);

        assertThat(times.count()).isEqualTo(10);
        assertThat(times.median()).isPositive().isLessThanOrEqualTo(times.p99());
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldTimeOneFlushEvenWithoutTime() throws Exception {
        assertThat(DiskFlush.measure(folder, 10, Duration.ZERO).count()).isEqualTo(1);
    }

    @Test
    void shouldMeasureTheNetworkForOneClientAfterTheOther() throws Exception {
        try (NetworkServer server = new NetworkServer(anyPort(), TOKEN)) {
            CompletableFuture<Integer> served = serving(server, 2);

            NetworkTest first = NetworkTest.with(at(server.port()), TOKEN, SHORT, LONG);
            NetworkTest.with(at(server.port()), TOKEN, SHORT, LONG);

            assertThat(first.bytesPerSecond()).isPositive();
            assertThat(first.roundTrips().median()).isPositive();
            assertThat(served.join()).isEqualTo(2);
        }
    }

    @Test
    void shouldSendStrangersAwayAndServeWhoeverKnowsTheToken() throws Exception {
        try (NetworkServer server = new NetworkServer(anyPort(), TOKEN)) {
            CompletableFuture<Integer> served = serving(server, 1);
            try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                assertThat(silent.getInputStream().read()).isEqualTo(-1);
            }

            assertThatThrownBy(() -> NetworkTest.with(at(server.port()), "another token of some length", SHORT, LONG))
                    .isInstanceOf(IOException.class);
            NetworkTest.with(at(server.port()), TOKEN, SHORT, LONG);

            assertThat(served.join()).isEqualTo(1);
        }
    }

    @Test
    void shouldEndWithoutAnyClient() throws Exception {
        try (NetworkServer server = new NetworkServer(anyPort(), TOKEN)) {
            assertThat(server.serve(1, SHORT)).isZero();
        }
    }

    @Test
    void shouldSayWhereNothingListens() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }

        assertThatThrownBy(() -> NetworkTest.with(at(port), TOKEN, SHORT, SHORT)).isInstanceOf(IOException.class)
                .hasMessage("nothing listens at localhost:" + port);
    }

    @Test
    @Timeout(60)
    void shouldEndWhereTheServerReadsNothingMore() throws Exception {
        try (ServerSocket deaf = new ServerSocket()) {
            deaf.setReceiveBufferSize(1_024);
            deaf.bind(anyPort());
            CompletableFuture<Socket> served = CompletableFuture.supplyAsync(() -> answerPings(deaf, () -> { }));

            assertThatThrownBy(() -> NetworkTest.with(at(deaf.getLocalPort()), TOKEN, LONG.dividedBy(120),
                    Duration.ofMillis(500))).isInstanceOf(IOException.class)
                    .hasMessage("no response from localhost:" + deaf.getLocalPort());
            served.join().close();
        }
    }

    @Test
    @Timeout(60)
    void shouldEndWhereTheServerAnswersSlowly() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        try (ServerSocket slow = new ServerSocket()) {
            slow.bind(anyPort());
            CompletableFuture<Socket> served = CompletableFuture.supplyAsync(() -> answerPings(slow, () -> {
                answered.incrementAndGet();
                LockSupport.parkNanos(SHORT.multipliedBy(8).toNanos());
            }));

            assertThatThrownBy(() -> NetworkTest.with(at(slow.getLocalPort()), TOKEN, SHORT, SHORT.multipliedBy(10)))
                    .isInstanceOf(IOException.class).hasMessage("no response from localhost:" + slow.getLocalPort());
            served.handle((socket, failure) -> socket).join();
            assertThat(answered.get()).as("pings, of which there are 20 before the first that counts").isLessThan(20);
        }
    }

    @Test
    @Timeout(60)
    void shouldRefuseACountThatIsNotWhatWasSent() throws Exception {
        for (long told : new long[] {-5, 1, Long.MAX_VALUE}) {
            try (ServerSocket liar = new ServerSocket()) {
                liar.bind(anyPort());
                CompletableFuture<Void> served = CompletableFuture.runAsync(() -> tell(liar, told));

                assertThatThrownBy(() -> NetworkTest.with(at(liar.getLocalPort()), TOKEN, SHORT, LONG))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("the other end says that it received " + told + " bytes of ");
                served.join();
            }
        }
    }

    private static void tell(ServerSocket server, long count) {
        try (Socket client = answerPings(server, () -> { })) {
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
            new DataOutputStream(client.getOutputStream()).writeLong(count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the connection, of which it reads nothing behind the pings */
    private static Socket answerPings(ServerSocket server, Runnable before) {
        try {
            Socket client = server.accept();
            client.getInputStream().readNBytes(Token.BYTES);
            while (client.getInputStream().read() == NetworkServer.PING) {
                before.run();
                client.getOutputStream().write(NetworkServer.PING);
            }
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CompletableFuture<Integer> serving(NetworkServer server, int clients) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return server.serve(clients, LONG);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress("localhost", port);
    }
}
