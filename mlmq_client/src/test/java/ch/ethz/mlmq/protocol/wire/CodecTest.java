package ch.ethz.mlmq.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CodecTest {
    private static final int CORRELATION = 0x01020304;

    private final FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);

    static Stream<Request> requests() {
        return Samples.requests();
    }

    static Stream<Response> responses() {
        return Samples.responses();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldReadARequestAsItWasWritten(Request request) throws Exception {
        assertThat(reader.next(frame(request))).isTrue();

        assertThat(reader.correlationId()).isEqualTo(CORRELATION);
        assertThat(RequestCodec.decode(reader)).usingRecursiveComparison().ignoringOverriddenEqualsForTypes(
                Message.class, OutgoingMessage.class).isEqualTo(request);
    }

    @ParameterizedTest
    @MethodSource("responses")
    void shouldReadAResponseAsItWasWritten(Response response) throws Exception {
        assertThat(reader.next(frame(response))).isTrue();

        assertThat(reader.correlationId()).isEqualTo(CORRELATION);
        assertThat(ResponseCodec.decode(reader)).usingRecursiveComparison().ignoringOverriddenEqualsForTypes(
                Message.class, OutgoingMessage.class).isEqualTo(response);
    }

    @Test
    void shouldHaveASampleOfEveryFrame() {
        Set<FrameType> sampled = Stream.concat(requests().map(Request::type), responses().map(Response::type))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FrameType.class)));

        assertThat(sampled).containsExactly(FrameType.values());
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldRefuseARequestThatEndsWithinAField(Request request) throws Exception {
        byte[] whole = frame(request).array();
        for (int length = FieldWriter.HEADER_BYTES; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(whole, length));
            cut.putInt(0, length - FrameReader.LENGTH_BYTES);
            assertThat(reader.next(cut)).isTrue();
            assertThatThrownBy(() -> RequestCodec.decode(reader)).isInstanceOf(ProtocolException.class);
        }
    }

    /** Returns all requests except hello, which later versions may make longer. */
    static Stream<Request> requestsOfFixedFields() {
        return requests().filter(request -> !(request instanceof Request.Hello));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldTakeNoNoticeOfTrailingBytesWhereThatWasAgreed(Request request) throws Exception {
        byte[] whole = frame(request).array();
        ByteBuffer longer = ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 9));
        longer.putInt(0, longer.capacity() - FrameReader.LENGTH_BYTES);
        reader.features(Features.EXTRA_FIELDS);

        assertThat(reader.next(longer)).isTrue();

        assertThat(RequestCodec.decode(reader)).usingRecursiveComparison().ignoringOverriddenEqualsForTypes(
                Message.class, OutgoingMessage.class).isEqualTo(request);
    }

    @Test
    void shouldCarryATokenWhereThatWasAgreed() throws Exception {
        reader.features(Features.SESSION_TOKEN);
        reader.next(frame(new Request.Register("alice", -7)));
        assertThat(RequestCodec.decode(reader)).isEqualTo(new Request.Register("alice", -7));

        reader.next(frame(new Response.Registered(1, 2, Long.MIN_VALUE)));
        assertThat(ResponseCodec.decode(reader)).isEqualTo(new Response.Registered(1, 2, Long.MIN_VALUE));

        reader.features(0);
        reader.next(frame(new Request.Register("alice", -7)));
        assertThatThrownBy(() -> RequestCodec.decode(reader)).hasMessage("8 trailing bytes");
    }

    @ParameterizedTest
    @MethodSource("requestsOfFixedFields")
    void shouldRefuseATrailingByte(Request request) throws Exception {
        byte[] whole = frame(request).array();
        ByteBuffer longer = ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 1));
        longer.putInt(0, longer.capacity() - FrameReader.LENGTH_BYTES);

        assertThat(reader.next(longer)).isTrue();

        assertThatThrownBy(() -> RequestCodec.decode(reader))
                .isInstanceOf(ProtocolException.class).hasMessage("1 trailing bytes");
    }

    @Test
    void shouldRefuseANegativeLength() throws Exception {
        ByteBuffer echo = frame(new Request.Echo(new byte[4]));
        echo.putInt(FieldWriter.HEADER_BYTES, -1);
        reader.next(echo);

        assertThatThrownBy(() -> RequestCodec.decode(reader)).hasMessage("negative length -1");
    }

    @Test
    void shouldNotReserveMemoryForAPromiseTheFrameCannotKeep() throws Exception {
        ByteBuffer bulk = frame(new Request.SendMessages(List.of()));
        bulk.putInt(FieldWriter.HEADER_BYTES, Integer.MAX_VALUE);
        reader.next(bulk);

        assertThatThrownBy(() -> RequestCodec.decode(reader))
                .hasMessage("length 2147483647 where the frame has 0 bytes left");
    }

    @Test
    void shouldRefuseAStringThatIsNotUtf8() throws Exception {
        ByteBuffer register = frame(new Request.Register("ab"));
        register.put(FieldWriter.HEADER_BYTES + 4, (byte) 0xC3).put(FieldWriter.HEADER_BYTES + 5, (byte) 0x28);
        reader.next(register);

        assertThatThrownBy(() -> RequestCodec.decode(reader)).hasMessage("a string is not UTF-8");
    }

    @Test
    void shouldReadAFilterBehindTheOtherFieldsWhereThatWasAgreed() throws Exception {
        MessageQuery query = MessageQuery.queue(3).waiting(20).matching("id = 7");
        for (Request request : new Request[] {new Request.PeekMessage(query), new Request.DequeueMessage(query),
            new Request.DequeueMessages(query, 5), new Request.ReceiveMessage(query, 6),
            new Request.ReceiveMessages(query, 5, 6)}) {
            reader.features(Features.FILTERS);
            reader.next(frame(request));
            assertThat(RequestCodec.decode(reader)).isEqualTo(request);

            reader.features(0);
            reader.next(frame(request));
            assertThatThrownBy(() -> RequestCodec.decode(reader)).hasMessage("10 trailing bytes");
        }
    }

    @Test
    void shouldReadThatOnlyAddressedMessagesCountWhereThatWasAgreed() throws Exception {
        Request.QueuesWithPendingMessages toMe = new Request.QueuesWithPendingMessages(20, true);
        reader.features(Features.ADDRESSED);
        reader.next(frame(toMe));
        assertThat(RequestCodec.decode(reader)).isEqualTo(toMe);

        reader.next(frame(new Request.QueuesWithPendingMessages(20, false)));
        assertThat(RequestCodec.decode(reader)).isEqualTo(new Request.QueuesWithPendingMessages(20, false));

        reader.features(0);
        reader.next(frame(toMe));
        assertThatThrownBy(() -> RequestCodec.decode(reader)).hasMessage("1 trailing bytes");
    }

    @Test
    void shouldRefuseATypeThatIsNone() throws Exception {
        for (int code : new int[] {-1, 0, 39, 100, 118, 198, 200, Integer.MAX_VALUE}) {
            reader.next(ByteBuffer.allocate(12).putInt(8).putInt(code).putInt(1).flip());
            assertThatThrownBy(() -> RequestCodec.decode(reader)).hasMessage("unknown frame type " + code);
        }
    }

    @Test
    void shouldNotTakeAResponseForARequest() throws Exception {
        reader.next(frame(Response.Done.INSTANCE));
        assertThatThrownBy(() -> RequestCodec.decode(reader)).hasMessage("frame type 101 is not a request");

        reader.next(frame(new Request.Goodbye()));
        assertThatThrownBy(() -> ResponseCodec.decode(reader)).hasMessage("frame type 22 is not a response");
    }

    @Test
    void shouldTakeAStatusOfALaterVersionForAFailureOfTheBroker() throws Exception {
        ByteBuffer statuses = frame(new Response.LeaseStatuses(List.of(Status.OK, Status.OK)));
        statuses.putInt(FieldWriter.HEADER_BYTES + 8, 77);
        reader.next(statuses);

        assertThat(ResponseCodec.decode(reader))
                .isEqualTo(new Response.LeaseStatuses(List.of(Status.OK, Status.BROKER_ERROR)));
    }

    @Test
    void shouldSayWhereAFrameDoesNotFit() {
        Request echo = new Request.Echo(new byte[100]);

        assertThatThrownBy(() -> RequestCodec.encode(echo, 1, ByteBuffer.allocate(115)))
                .isInstanceOf(BufferOverflowException.class);
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void shouldCarryEveryStatusABrokerMaySend(Status status) throws Exception {
        if (status == Status.OK || !status.isOnWire()) {
            assertThatThrownBy(() -> new Response.Failure(status, "")).isInstanceOf(IllegalArgumentException.class);
        } else {
            reader.next(frame(new Response.Failure(status, "why")));
            assertThat(ResponseCodec.decode(reader)).isEqualTo(new Response.Failure(status, "why"));
        }
    }

    private static ByteBuffer frame(Request request) {
        ByteBuffer frame = ByteBuffer.allocate(RequestCodec.frameBytes(request));
        RequestCodec.encode(request, CORRELATION, frame);
        assertThat(frame.hasRemaining()).isFalse();
        return frame.flip();
    }

    private static ByteBuffer frame(Response response) {
        ByteBuffer frame = ByteBuffer.allocate(ResponseCodec.frameBytes(response));
        ResponseCodec.encode(response, CORRELATION, frame);
        assertThat(frame.hasRemaining()).isFalse();
        return frame.flip();
    }
}
