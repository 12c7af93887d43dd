package ch.ethz.mlmq.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Properties in frames, which only sides with the feature send and read. */
class PropertiesCodecTest {
    private static final byte[] CONTENT = {1, 2};
    private static final MessageProperties SOME = MessageProperties.NONE.with("id", 7).with("place", "x");
    private static final Message PLAIN = new Message(1, 2, new Message.Envelope(3, 4, 5, 6, 7),
            Message.Delivery.NONE, CONTENT);

    private final FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);

    @Test
    void shouldTravelWithASend() throws Exception {
        Request.SendMessage send = new Request.SendMessage(new int[] {1}, 0, 5, 0, "", CONTENT, SOME);

        assertThat(((Request.SendMessage) read(Features.PROPERTIES, send)).properties()).isEqualTo(SOME);
        assertThatThrownBy(() -> read(0, send)).hasMessageEndingWith("trailing bytes");
    }

    @Test
    void shouldTravelWithEachMessageOfABulkSend() throws Exception {
        OutgoingMessage plain = new OutgoingMessage(1, CONTENT, 5);

        Request.SendMessages read = (Request.SendMessages) read(Features.PROPERTIES,
                new Request.SendMessages(List.of(plain, plain.with(SOME), plain)));

        assertThat(read.messages()).extracting(OutgoingMessage::properties)
                .containsExactly(MessageProperties.NONE, SOME, MessageProperties.NONE);
    }

    @Test
    void shouldRefuseAnotherNumberOfPropertiesThanOfMessages() {
        ByteBuffer frame = frame(new Request.SendMessages(List.of(new OutgoingMessage(1, CONTENT, 5).with(SOME))));
        frame.putInt(frame.limit() - SOME.encoded().length - 8, 2);
        reader.features(Features.PROPERTIES);

        assertThatThrownBy(() -> {
            reader.next(frame);
            RequestCodec.decode(reader);
        }).hasMessage("properties of 2 messages where the frame has 1");
    }

    @Test
    void shouldTakeNoByteWithoutAny() {
        assertThat(RequestCodec.frameBytes(new Request.SendMessage(new int[] {1}, 0, 5, 0, "", CONTENT)))
                .isEqualTo(12 + 4 + 4 + 4 + 4 + 8 + 4 + 4 + CONTENT.length);
        assertThat(ResponseCodec.frameBytes(new Response.Delivery(PLAIN))).isEqualTo(12 + 1 + 56 + CONTENT.length);
    }

    @Test
    void shouldTravelWithADelivery() throws Exception {
        assertThat(((Response.Delivery) read(Features.PROPERTIES, new Response.Delivery(PLAIN.with(SOME)), true))
                .message().properties()).isEqualTo(SOME);
        assertThat(((Response.Deliveries) read(Features.PROPERTIES,
                new Response.Deliveries(List.of(PLAIN.with(SOME), PLAIN)), true)).messages())
                .extracting(Message::properties).containsExactly(SOME, MessageProperties.NONE);
    }

    @Test
    void shouldBeLeftOutForAClientWithoutTheFeature() throws Exception {
        assertThat(((Response.Delivery) read(0, new Response.Delivery(PLAIN.with(SOME)), false)).message().id())
                .isEqualTo(1);
        assertThat(((Response.Deliveries) read(0, new Response.Deliveries(List.of(PLAIN.with(SOME))), false))
                .messages())
                .extracting(Message::properties).containsExactly(MessageProperties.NONE);
    }

    @Test
    void shouldFitIntoTheLongestFrameThatEveryClientTakes() {
        MessageProperties most = MessageProperties.NONE.with("text", "x".repeat(4_083));
        Message longest = new Message(1, 2, PLAIN.envelope().with(most), Message.Delivery.NONE, new byte[2_000]);

        assertThat(ResponseCodec.frameBytes(new Response.Deliveries(List.of(longest))))
                .isLessThan(Limits.defaults().leastPayloadBytes());
        assertThat(ResponseCodec.frameBytes(new Response.Deliveries(List.of(longest, longest)))
                - ResponseCodec.frameBytes(new Response.Deliveries(List.of(longest))))
                .isLessThanOrEqualTo(Limits.messageBytes(longest.bytes()));
    }

    private Request read(long features, Request request) throws Exception {
        reader.features(features);
        reader.next(frame(request));
        return RequestCodec.decode(reader);
    }

    private Response read(long features, Response response, boolean properties) throws Exception {
        ByteBuffer frame = ByteBuffer.allocate(ResponseCodec.frameBytes(response, properties));
        ResponseCodec.encode(response, 1, frame, properties);
        assertThat(frame.hasRemaining()).isFalse();
        reader.features(features);
        reader.next(frame.flip());
        return ResponseCodec.decode(reader);
    }

    private static ByteBuffer frame(Request request) {
        ByteBuffer frame = ByteBuffer.allocate(RequestCodec.frameBytes(request));
        RequestCodec.encode(request, 1, frame);
        return frame.flip();
    }
}
