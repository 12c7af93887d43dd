package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the agreement of client and broker before other requests; clients that do not know it work as before. */
class HandshakeTest {
    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.content.max", "3000", "broker.frame.max", "100000",
            "broker.requestqueue.size", "500", "broker.connection.keepalive.timeout", "20s"));

    private final String address = BROKERS.address(StorageKind.MEMORY);

    @Test
    void shouldTellItsVersionAndItsLimitsAndGrantWhatItKnows() throws Exception {
        try (RawClient client = new RawClient(address)) {
            Response.Welcome welcome = client.hello(Features.ALL | 1L << 40);

            assertThat(welcome.version()).isEqualTo(1);
            assertThat(welcome.software()).startsWith("MLMQ ");
            assertThat(welcome.features()).isEqualTo(Features.ALL);
            assertThat(welcome.contentMax()).isEqualTo(3_000);
            assertThat(welcome.payloadMax()).isEqualTo(100_000);
            assertThat(welcome.inFlightMax()).isEqualTo(250);
            assertThat(welcome.listMax()).isEqualTo(1_000);
            assertThat(welcome.waitMaxMillis()).isEqualTo(60_000);
            assertThat(welcome.leaseMaxMillis()).isEqualTo(43_200_000);
            assertThat(welcome.keepAliveMillis()).isEqualTo(20_000);
        }
    }

    @Test
    void shouldSpeakTheVersionThatBothKnow() throws Exception {
        try (RawClient client = new RawClient(address)) {
            assertThat(client.ask(new Request.Hello(7, 0, "of a later time")))
                    .isInstanceOfSatisfying(Response.Welcome.class, welcome -> assertThat(welcome.version())
                    .isEqualTo(1));
        }
    }

    @Test
    void shouldRefuseAVersionThatNeverWas() throws Exception {
        try (RawClient client = new RawClient(address)) {
            assertThat(client.ask(new Request.Hello(0, 0, "of no time"))).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.INVALID_REQUEST));
            assertThat(client.ask(new Request.Echo(new byte[] {7}))).isInstanceOf(Response.Echoed.class);
        }
    }

    @Test
    void shouldTakeFieldsOfALaterVersionForNothingOnceAgreed() throws Exception {
        try (RawClient client = new RawClient(address)) {
            client.send(withMore(new Request.Hello(1, Features.EXTRA_FIELDS, "later")));
            assertThat(client.read()).isInstanceOf(Response.Welcome.class);

            client.send(withMore(new Request.Echo(new byte[] {7})));

            assertThat(client.read()).isInstanceOfSatisfying(Response.Echoed.class,
                    echoed -> assertThat(echoed.content()).containsExactly(7));
        }
    }

    @Test
    void shouldRefuseThemAsEverWhereNothingWasAgreed() throws Exception {
        try (RawClient client = new RawClient(address)) {
            client.send(withMore(new Request.Echo(new byte[] {7})));

            assertThat(client.read()).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.PROTOCOL_ERROR));
        }
    }

    @Test
    void shouldComeFirstAndOnce() throws Exception {
        try (RawClient client = new RawClient(address)) {
            client.ask(new Request.BrokerStatus());

            assertThat(client.ask(new Request.Hello(1, 0, "late"))).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.INVALID_REQUEST));
            assertThat(client.register(BROKERS.name("late")).client()).isPositive();
        }
    }

    @Test
    void shouldRefuseWhatIsNotMlmq() throws Exception {
        try (RawClient client = new RawClient(address)) {
            byte[] hello = frame(new Request.Hello(1, 0, ""));
            hello[12] = 'X';
            client.send(hello);

            assertThat(client.read()).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.text()).contains("magic"));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void shouldBeMadeByTheLibraryByItself() {
        Client client = BROKERS.clientAt(address);

        assertThat(client.broker()).hasValueSatisfying(welcome -> assertThat(welcome.contentMax()).isEqualTo(3_000));
        assertThat(client.register(BROKERS.name("library")).token()).as("shown to the user").isZero();
    }

    private static byte[] frame(Request request) {
        ByteBuffer frame = ByteBuffer.allocate(RequestCodec.frameBytes(request));
        RequestCodec.encode(request, 1, frame);
        return frame.array();
    }

    /** Encodes a request with eight bytes behind its present fields. */
    private static byte[] withMore(Request request) {
        byte[] frame = frame(request);
        byte[] more = Arrays.copyOf(frame, frame.length + 8);
        ByteBuffer.wrap(more).putInt(0, more.length - 4);
        return more;
    }
}
