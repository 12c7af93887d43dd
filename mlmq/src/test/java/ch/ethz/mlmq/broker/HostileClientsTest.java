package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.agent.JavaProcess;
import ch.ethz.mlmq.campaign.FreePort;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a broker of 64 MB with clients that try to use all of it: another client must still get its responses. */
class HostileClientsTest {
    private static final int ANNOUNCERS = 40;
    private static final int NON_READERS = 60;
    private static final int FRAME = 4 << 20;
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    @TempDir
    static Path folder;
    private static JavaProcess broker;
    private static int port;

    private final List<SocketChannel> attackers = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        port = FreePort.find();
        broker = start(port, "--storage", "memory");
    }

    private static JavaProcess start(int port, String... settings) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("broker", "--progress", "--port", Integer.toString(port)));
        arguments.addAll(List.of(settings));
        JavaProcess started = JavaProcess.start(Files.createFile(folder.resolve("broker-" + port + ".out")),
                List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), "ch.ethz.mlmq.cli.Main", arguments);
        started.awaitOutput("\"state\":\"ready\"");
        return started;
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @AfterEach
    void disconnect() throws IOException {
        for (SocketChannel attacker : attackers) {
            attacker.close();
        }
    }

    @Test
    void shouldGiveNoMemoryForLengthsThatStrangersAnnounce() throws Exception {
        for (int i = 0; i < ANNOUNCERS; i++) {
            write(connect(), ByteBuffer.wrap(new byte[] {0, 0x40, 0, 0}));
        }

        assertNeighbourIsServed("neighbour-of-strangers");
        assertThat(answer(attackers.get(0))).isInstanceOfSatisfying(Response.Failure.class,
                failure -> assertThat(failure.text()).contains("before"));
    }

    @Test
    void shouldGiveNoMemoryForLengthsThatClientsAnnounce() throws Exception {
        for (int i = 0; i < ANNOUNCERS; i++) {
            SocketChannel attacker = connect();
            register(attacker, "announcer-" + i);
            write(attacker, ByteBuffer.wrap(new byte[] {0, 0x40, 0, 0}));
        }

        assertNeighbourIsServed("neighbour-of-announcers");
    }

    /**
     * All but the last byte of the longest frame, from each: the broker tells those that it closes which limit it was.
     */
    @Test
    void shouldCloseTheGreediestOfThoseThatHoldTheirFramesBack() throws Exception {
        byte[] most = new byte[FRAME];
        ByteBuffer.wrap(most).putInt(FRAME).putInt(20).putInt(5);
        for (int i = 0; i < ANNOUNCERS; i++) {
            SocketChannel attacker = connect();
            register(attacker, "withholder-" + i);
            write(attacker, ByteBuffer.wrap(most));
        }

        assertNeighbourIsServed("neighbour-of-withholders");
        assertThat(firstAnswer(attackers)).isInstanceOfSatisfying(Response.Failure.class,
                failure -> assertThat(failure.text()).contains("broker.memory.max"));
    }

    @Test
    void shouldServeTheNeighbourOfThoseThatDoNotReadTheirAnswers() throws Exception {
        try (Client sender = TestBroker.client(port, "sender")) {
            int queue = sender.createQueue("shown");
            sender.sendMessage(queue, new byte[1_900], 5);
            ByteBuffer peeks = peeks(queue, 1_000);
            for (int i = 0; i < NON_READERS; i++) {
                SocketChannel attacker = connect();
                register(attacker, "non-reader-" + i);
                attacker.configureBlocking(false);
            }
            for (int round = 0; round < 20; round++) {
                for (SocketChannel attacker : attackers) {
                    try {
                        attacker.write(peeks.rewind());
                    } catch (IOException e) {
                        // The broker may close the connection.
                        continue;
                    }
                }
                assertThat(sender.peekMessage(MessageQuery.queue(queue))).isPresent();
            }
        }

        assertNeighbourIsServed("neighbour-of-non-readers");
    }

    /** Without workers the I/O thread executes at once what it has read, which may be thousands of requests. */
    @Test
    void shouldHoldNoMoreAnswersOfOneReadThanTheLimitOfMemory() throws Exception {
        int inline = FreePort.find();
        try (TestDatabase database = new TestDatabase();
                JavaProcess other = start(inline, "--set", "broker.workers=0", "--set", "broker.content.max=1048576",
                        "--set", "broker.db.url=" + database.address().url(),
                        "--set", "broker.db.user=" + database.address().user(),
                        "--set", "broker.db.password=" + database.address().password());
                Client sender = TestBroker.client(inline, "sender")) {
            int queue = sender.createQueue("shown");
            sender.sendMessage(queue, new byte[1 << 20], 5);
            SocketChannel attacker = connect(inline);
            register(attacker, "non-reader");

            write(attacker, peeks(queue, 1_000).flip());

            assertNeighbourIsServed(other, inline, "neighbour-of-a-non-reader");
        }
    }

    private static ByteBuffer peeks(int queue, int count) {
        Request peek = new Request.PeekMessage(MessageQuery.queue(queue));
        ByteBuffer peeks = ByteBuffer.allocate(count * RequestCodec.frameBytes(peek));
        for (int i = 1; i <= count; i++) {
            RequestCodec.encode(peek, i, peeks);
        }
        return peeks;
    }

    private static void assertNeighbourIsServed(String name) {
        assertNeighbourIsServed(broker, port, name);
    }

    private static void assertNeighbourIsServed(JavaProcess broker, int port, String name) {
        try (Client neighbour = TestBroker.client(port, name)) {
            int queue = neighbour.createQueue(name);
            for (int i = 0; i < 20; i++) {
                neighbour.sendMessage(queue, new byte[] {7}, 5);
                assertThat(neighbour.dequeueMessage(MessageQuery.queue(queue))).isPresent();
            }
        } catch (MlmqException e) {
            throw new AssertionError("the neighbour was not served: " + e.getMessage(), e);
        }
        assertThat(broker.isAlive()).isTrue();
    }

    private SocketChannel connect() throws IOException {
        return connect(port);
    }

    private SocketChannel connect(int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 8_192);
        channel.connect(new InetSocketAddress("127.0.0.1", port));
        attackers.add(channel);
        return channel;
    }

    private static void register(SocketChannel channel, String name) throws Exception {
        Request request = new Request.Register(name);
        ByteBuffer frame = ByteBuffer.allocate(RequestCodec.frameBytes(request));
        RequestCodec.encode(request, 1, frame);
        write(channel, frame.flip());
        assertThat(answer(channel)).isInstanceOf(Response.Registered.class);
    }

    /** Writes as much as the broker takes. */
    private static void write(SocketChannel channel, ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            // The broker has closed the connection meanwhile.
        }
    }

    private static Response answer(SocketChannel channel) throws Exception {
        return firstAnswer(List.of(channel));
    }

    /** @return what the first of them is told; which one that is depends on how their bytes came in */
    private static Response firstAnswer(List<SocketChannel> channels) throws Exception {
        Map<SocketChannel, ByteBuffer> arrived = new LinkedHashMap<>();
        for (SocketChannel channel : channels) {
            channel.configureBlocking(false);
            arrived.put(channel, ByteBuffer.allocate(1 << 14));
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() - deadline < 0 && !arrived.isEmpty()) {
            for (SocketChannel channel : List.copyOf(arrived.keySet())) {
                Response answer = read(channel, arrived);
                if (answer != null) {
                    channel.configureBlocking(true);
                    return answer;
                }
            }
        }
        throw new AssertionError(arrived.isEmpty() ? "closed without an answer" : "no answer");
    }

    /** @return the response, or null if it has not arrived; a channel that is closed is taken out */
    private static Response read(SocketChannel channel, Map<SocketChannel, ByteBuffer> arrived) throws Exception {
        ByteBuffer in = arrived.get(channel);
        try {
            if (channel.read(in) < 0) {
                arrived.remove(channel);
                return null;
            }
        } catch (IOException e) {
            arrived.remove(channel); // reset
            return null;
        }
        FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);
        Response answer = reader.next(in.flip()) ? ResponseCodec.decode(reader) : null;
        in.compact();
        return answer;
    }
}
