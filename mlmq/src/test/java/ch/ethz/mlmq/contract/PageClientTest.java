package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.StorageKind;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client written from docs/reference/protocol.md alone: plain sockets, no class of the library. */
class PageClientTest {
    private static final int CREATE_QUEUE = 2;
    private static final int DEQUEUE_MESSAGE = 14;
    private static final int CLOSE = 22;
    private static final int ECHO = 20;
    private static final int HELLO = 23;
    private static final int RECEIVE_MESSAGES = 27;
    private static final int ACKNOWLEDGE_MESSAGES = 28;
    private static final int EXTEND_LEASES = 29;
    private static final int RELEASE_MESSAGES = 30;
    private static final int QUEUE_LENGTH = 31;
    private static final int BULK_LEASES = 16;
    private static final int QUEUE_LENGTHS = 32;
    private static final int FAILURE = 199;
    private static final int PROTOCOL_ERROR = 11;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private Socket socket;
    private DataOutputStream out;
    private DataInputStream in;

    @BeforeEach
    void connect() throws IOException {
        String[] address = BROKERS.address(StorageKind.MEMORY).split(":");
        socket = new Socket(address[0], Integer.parseInt(address[1]));
        socket.setSoTimeout(30_000);
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        in = new DataInputStream(socket.getInputStream());
    }

    @AfterEach
    void disconnect() throws IOException {
        socket.close();
    }

    @Test
    void shouldSendAndReceiveAMessage() throws IOException {
        int me = register(1, BROKERS.name("page"));

        byte[] name = BROKERS.name("jobs").getBytes(StandardCharsets.UTF_8);
        header(4 + name.length, CREATE_QUEUE, 2);
        bytes(name);
        answer(103, 2);
        final int queue = in.readInt();
        assertThat(readBytes()).isEqualTo(name);

        byte[] content = "hello".getBytes(StandardCharsets.UTF_8);
        header(4 + 4 + 4 + 4 + 8 + 4 + 4 + content.length, 7, 3);
        out.writeInt(1);
        out.writeInt(queue);
        out.writeInt(0);
        out.writeInt(5);
        out.writeLong(0);
        bytes(new byte[0]);
        bytes(content);
        answer(101, 3);

        header(22, DEQUEUE_MESSAGE, 4);
        query(queue);
        answer(107, 4);
        assertThat(in.readByte()).isEqualTo((byte) 1);
        assertThat(in.readLong()).isPositive();
        assertThat(in.readInt()).isEqualTo(queue);
        assertThat(in.readInt()).isEqualTo(me);
        assertThat(in.readInt()).isZero();
        assertThat(in.readInt()).isEqualTo(5);
        assertThat(in.readLong()).isZero();
        assertThat(in.readLong()).isPositive();
        assertThat(in.readInt()).isEqualTo(1);
        assertThat(in.readLong()).isZero();
        assertThat(readBytes()).isEqualTo(content);

        header(0, CLOSE, 5);
        answer(101, 5);
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void shouldReceiveManyAndAcknowledgeThem() throws IOException {
        assertThat(hello(BULK_LEASES)).isEqualTo(BULK_LEASES);
        int queue = registerForItsQueue(2, BROKERS.name("page"));
        for (int id = 3; id <= 5; id++) {
            header(4 + 4 + 4 + 4 + 8 + 4 + 4, 7, id);
            out.writeInt(1);
            out.writeInt(queue);
            out.writeInt(0);
            out.writeInt(5);
            out.writeLong(0);
            bytes(new byte[0]);
            bytes(new byte[0]);
            answer(101, id);
        }

        header(22 + 4 + 4, RECEIVE_MESSAGES, 6);
        query(queue);
        out.writeInt(2);
        out.writeInt(60_000);
        answer(108, 6);
        assertThat(in.readInt()).isEqualTo(2);
        long[] leases = new long[4];
        for (int i = 0; i < 2; i++) {
            leases[2 * i] = in.readLong();
            in.skipNBytes(4 + 4 + 4 + 4 + 8 + 8 + 4);
            leases[2 * i + 1] = in.readLong();
            assertThat(leases[2 * i + 1]).isNotZero();
            assertThat(readBytes()).isEmpty();
        }
        assertThat(leases[3]).isNotEqualTo(leases[1]);

        assertThat(statuses(EXTEND_LEASES, 7, leases[0], leases[1], leases[2], 4_711)).containsExactly(0, 13);
        assertThat(statuses(RELEASE_MESSAGES, 8, leases[2], leases[3])).containsExactly(0);
        assertThat(statuses(ACKNOWLEDGE_MESSAGES, 9, leases)).containsExactly(0, 13);
    }

    @Test
    void shouldCountTheMessagesOfAQueue() throws IOException {
        assertThat(hello(QUEUE_LENGTHS)).isEqualTo(QUEUE_LENGTHS);
        int queue = registerForItsQueue(2, BROKERS.name("page"));

        header(4, QUEUE_LENGTH, 3);
        out.writeInt(queue);

        answer(113, 3);
        assertThat(in.readLong()).isZero();
        assertThat(in.readLong()).isZero();
    }

    @Test
    void shouldBeClosedAfterARequestOfAFeatureThatItDidNotAskFor() throws IOException {
        hello(BULK_LEASES);
        header(4, QUEUE_LENGTH, 3);
        out.writeInt(1);

        answer(FAILURE, 3);
        assertThat(in.readInt()).isEqualTo(PROTOCOL_ERROR);
        assertThat(new String(readBytes(), StandardCharsets.UTF_8)).contains("feature queue lengths");
    }

    @Test
    void shouldGetAFailureAndGoOn() throws IOException {
        register(1, BROKERS.name("page"));
        for (int round = 0; round < 2; round++) {
            header(4 + 1, CREATE_QUEUE, 2);
            bytes(new byte[] {' '});
            answer(FAILURE, 2);
            assertThat(in.readInt()).isEqualTo(10);
            assertThat(new String(readBytes(), StandardCharsets.UTF_8)).contains("1..50 characters");
        }
    }

    @Test
    void shouldBeToldOfAnUnknownTypeAndBeClosed() throws IOException {
        header(0, 99, 7);

        expectProtocolError(7);
    }

    @Test
    void shouldBeToldOfATrailingByteAndBeClosed() throws IOException {
        header(4 + 2, ECHO, 8);
        bytes(new byte[] {1});
        out.writeByte(0);

        expectProtocolError(8);
    }

    @Test
    void shouldBeToldOfANegativeLengthAndBeClosed() throws IOException {
        header(4, ECHO, 9);
        out.writeInt(-1);

        expectProtocolError(9);
    }

    @Test
    void shouldBeToldOfAFrameOverTheLimitAndBeClosed() throws IOException {
        out.writeInt(4_194_305);
        out.writeInt(ECHO);
        out.writeInt(10);

        expectProtocolError(0);
    }

    @Test
    void shouldBeUnderstoodHoweverItsBytesAreSplit() throws IOException {
        socket.setTcpNoDelay(true);
        byte[] frame = {0, 0, 0, 14, 0, 0, 0, 20, 0, 0, 0, 13, 0, 0, 0, 2, 'h', 'i'};
        for (int at = 1; at < frame.length; at++) {
            socket.getOutputStream().write(frame, 0, at);
            socket.getOutputStream().flush();
            Thread.yield();
            socket.getOutputStream().write(frame, at, frame.length - at);
            answer(109, 13);
            assertThat(readBytes()).isEqualTo("hi".getBytes(StandardCharsets.UTF_8));
        }
    }

    private int register(int id, String name) throws IOException {
        askToRegister(id, name);
        int client = in.readInt();
        assertThat(in.readInt()).isPositive();
        return client;
    }

    private int registerForItsQueue(int id, String name) throws IOException {
        askToRegister(id, name);
        assertThat(in.readInt()).isPositive();
        return in.readInt();
    }

    private void askToRegister(int id, String name) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        header(4 + bytes.length, 1, id);
        bytes(bytes);
        answer(102, id);
    }

    /** @return the features that are granted */
    private long hello(long features) throws IOException {
        byte[] software = "page".getBytes(StandardCharsets.UTF_8);
        header(4 + 4 + 8 + 4 + software.length, HELLO, 1);
        out.writeInt(0x4d4c4d51);
        out.writeInt(1);
        out.writeLong(features);
        bytes(software);
        answer(111, 1);
        assertThat(in.readInt()).isEqualTo(1);
        assertThat(readBytes()).isNotEmpty();
        long granted = in.readLong();
        in.skipNBytes(7 * 4);
        return granted;
    }

    private void query(int queue) throws IOException {
        out.writeInt(queue);
        out.writeInt(0);
        out.writeLong(0);
        out.writeByte(0);
        out.writeByte(0);
        out.writeInt(10_000);
    }

    /** @param leases ids and tokens by turns */
    private int[] statuses(int type, int id, long... leases) throws IOException {
        header(4 + 8 * leases.length + (type == EXTEND_LEASES ? 4 : 0), type, id);
        out.writeInt(leases.length / 2);
        for (long half : leases) {
            out.writeLong(half);
        }
        if (type == EXTEND_LEASES) {
            out.writeInt(60_000);
        }
        answer(112, id);
        int[] statuses = new int[in.readInt()];
        for (int i = 0; i < statuses.length; i++) {
            statuses[i] = in.readInt();
        }
        return statuses;
    }

    private void expectProtocolError(int id) throws IOException {
        answer(FAILURE, id);
        assertThat(in.readInt()).isEqualTo(PROTOCOL_ERROR);
        assertThat(readBytes()).isNotEmpty();
        assertThat(in.read()).isEqualTo(-1);
    }

    private void header(int fieldBytes, int type, int id) throws IOException {
        out.writeInt(8 + fieldBytes);
        out.writeInt(type);
        out.writeInt(id);
    }

    private void bytes(byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private void answer(int type, int id) throws IOException {
        out.flush();
        assertThat(in.readInt()).isGreaterThanOrEqualTo(8);
        assertThat(in.readInt()).as("type").isEqualTo(type);
        assertThat(in.readInt()).as("correlation id").isEqualTo(id);
    }

    private byte[] readBytes() throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
