package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes responses. */
public final class ResponseCodec {
    private static final int LEAST_MESSAGE_BYTES = 56;

    private ResponseCodec() {
    }

    /** @return bytes of the whole frame */
    public static int frameBytes(Response response) {
        return frameBytes(response, true);
    }

    /** @param properties whether messages have their properties. @return bytes of the whole frame */
    public static int frameBytes(Response response, boolean properties) {
        FieldWriter counter = new FieldWriter(null);
        write(response, counter, properties);
        return FieldWriter.HEADER_BYTES + counter.size();
    }

    /**
     * Appends the response as a frame.
     *
     * @param correlationId that of its request
     * @param out           big-endian
     * @throws java.nio.BufferOverflowException if it does not fit; the caller must discard what was written
     */
    public static void encode(Response response, int correlationId, ByteBuffer out) {
        encode(response, correlationId, out, true);
    }

    /** Appends the response as a frame. @param properties whether messages have their properties */
    public static void encode(Response response, int correlationId, ByteBuffer out, boolean properties) {
        int start = out.position();
        out.putInt(0).putInt(response.type().code()).putInt(correlationId);
        write(response, new FieldWriter(out), properties);
        out.putInt(start, out.position() - start - FrameReader.LENGTH_BYTES);
    }

    /** @return the response in the frame the reader has found */
    public static Response decode(FrameReader frame) throws ProtocolException {
        FrameType type = frame.type();
        if (type.isRequest()) {
            throw new ProtocolException("frame type " + type.code() + " is not a response");
        }
        FieldReader in = frame.fields();
        Response response = read(type, in, frame);
        if (type != FrameType.WELCOME && !frame.has(Features.EXTRA_FIELDS)) {
            in.finish();
        }
        return response;
    }

    private static void write(Response response, FieldWriter out, boolean properties) {
        switch (response.type()) {
            case DONE -> { }
            case REGISTERED -> write((Response.Registered) response, out);
            case WELCOME -> write((Response.Welcome) response, out);
            case QUEUE_FOUND -> write((Response.QueueFound) response, out);
            case CLIENT_FOUND -> write((Response.ClientFound) response, out);
            case TOPIC_FOUND -> write((Response.TopicFound) response, out);
            case PUBLISHED -> out.int32(((Response.Published) response).copies());
            case MOVED -> out.int32(((Response.Moved) response).messages());
            case CONTEXT_ASSIGNED -> out.int64(((Response.ContextAssigned) response).context());
            case PENDING_QUEUES -> write((Response.PendingQueues) response, out);
            case DELIVERY -> write((Response.Delivery) response, out, properties);
            case DELIVERIES -> write((Response.Deliveries) response, out, properties);
            case LEASE_STATUSES -> write((Response.LeaseStatuses) response, out);
            case LENGTH -> write((Response.QueueLength) response, out);
            case CHALLENGE -> write((Response.Challenge) response, out);
            case ECHOED -> out.bytes(((Response.Echoed) response).content());
            case STATUS_REPORT -> out.string(((Response.StatusReport) response).json());
            case REPORT -> out.string(((Response.Report) response).text());
            case FAILURE -> write((Response.Failure) response, out);
            default -> throw new IllegalArgumentException(response.type() + " is not a response");
        }
    }

    private static Response read(FrameType type, FieldReader in, FrameReader frame) throws ProtocolException {
        return switch (type) {
            case DONE -> Response.Done.INSTANCE;
            case REGISTERED -> new Response.Registered(in.int32(), in.int32(),
                    frame.has(Features.SESSION_TOKEN) && in.hasMore() ? in.int64() : 0);
            case WELCOME -> readWelcome(in);
            case QUEUE_FOUND -> new Response.QueueFound(in.int32(), in.string());
            case CLIENT_FOUND -> new Response.ClientFound(in.int32(), in.string());
            case TOPIC_FOUND -> new Response.TopicFound(in.int32(), in.string());
            case PUBLISHED -> new Response.Published(in.int32());
            case MOVED -> new Response.Moved(in.int32());
            case CONTEXT_ASSIGNED -> new Response.ContextAssigned(in.int64());
            case PENDING_QUEUES -> new Response.PendingQueues(in.int32(), in.int32s());
            case DELIVERY -> readDelivery(in, frame);
            case DELIVERIES -> new Response.Deliveries(readMessages(in, frame));
            case LEASE_STATUSES -> new Response.LeaseStatuses(readStatuses(in));
            case LENGTH -> new Response.QueueLength(in.int64(), in.int64());
            case CHALLENGE -> new Response.Challenge(in.bool(), in.bytes());
            case ECHOED -> new Response.Echoed(in.bytes());
            case STATUS_REPORT -> new Response.StatusReport(in.string());
            case REPORT -> new Response.Report(in.string());
            case FAILURE -> readFailure(in);
            default -> throw new IllegalArgumentException(type + " is not a response");
        };
    }

    private static Response.Welcome readWelcome(FieldReader in) throws ProtocolException {
        int version = in.int32();
        String software = in.string();
        long features = in.int64();
        return new Response.Welcome(version, software, features, readBounds(in), in.int32(),
                (features & Features.AUTHENTICATION) != 0 && in.hasMore() ? in.string() : "");
    }

    private static Response.Bounds readBounds(FieldReader in) throws ProtocolException {
        return new Response.Bounds(in.int32(), in.int32(), in.int32(), in.int32(), in.int32(), in.int32());
    }

    private static List<Status> readStatuses(FieldReader in) throws ProtocolException {
        int[] codes = in.int32s();
        List<Status> statuses = new ArrayList<>(codes.length);
        for (int code : codes) {
            Status status = Status.ofWire(code);
            statuses.add(status != null ? status : Status.BROKER_ERROR);
        }
        return statuses;
    }

    private static Response readFailure(FieldReader in) throws ProtocolException {
        int code = in.int32();
        Status status = Status.ofWire(code);
        if (status == Status.OK) {
            throw new ProtocolException("a failure with status OK");
        }
        return status != null ? new Response.Failure(status, in.string())
                // The status is of a later version, and BROKER_ERROR promises least.
                : new Response.Failure(Status.BROKER_ERROR, "status " + code + ": " + in.string());
    }

    private static void write(Response.Registered registered, FieldWriter out) {
        out.int32(registered.client());
        out.int32(registered.ownQueue());
        if (registered.token() != 0) {
            out.int64(registered.token());
        }
    }

    private static void write(Response.QueueFound found, FieldWriter out) {
        out.int32(found.queue());
        out.string(found.name());
    }

    private static void write(Response.TopicFound found, FieldWriter out) {
        out.int32(found.topic());
        out.string(found.name());
    }

    private static void write(Response.ClientFound found, FieldWriter out) {
        out.int32(found.client());
        out.string(found.name());
    }

    private static void write(Response.PendingQueues pending, FieldWriter out) {
        out.int32(pending.inOwnQueue());
        out.int32s(pending.queues());
    }

    private static void write(Response.Delivery delivery, FieldWriter out, boolean properties) {
        Message message = delivery.message();
        out.bool(message != null);
        if (message != null) {
            write(message, out);
            if (properties && !message.properties().isEmpty()) {
                out.bytes(message.properties().encoded());
            }
        }
    }

    private static void write(Response.Deliveries deliveries, FieldWriter out, boolean properties) {
        out.int32(deliveries.messages().size());
        for (Message message : deliveries.messages()) {
            write(message, out);
        }
        if (properties) {
            out.properties(deliveries.messages(), Message::properties);
        }
    }

    private static void write(Response.LeaseStatuses statuses, FieldWriter out) {
        out.int32(statuses.statuses().size());
        for (Status status : statuses.statuses()) {
            out.int32(status.code());
        }
    }

    private static void write(Response.QueueLength length, FieldWriter out) {
        out.int64(length.ready());
        out.int64(length.leased());
    }

    private static void write(Response.Challenge challenge, FieldWriter out) {
        out.bool(challenge.complete());
        out.bytes(challenge.data());
    }

    private static void write(Response.Failure failure, FieldWriter out) {
        out.int32(failure.status().code());
        out.string(failure.text());
    }

    private static void write(Response.Welcome welcome, FieldWriter out) {
        out.int32(welcome.version());
        out.string(welcome.software());
        out.int64(welcome.features());
        write(welcome.bounds(), out);
        out.int32(welcome.keepAliveMillis());
        if ((welcome.features() & Features.AUTHENTICATION) != 0) {
            out.string(welcome.mechanisms());
        }
    }

    private static void write(Response.Bounds bounds, FieldWriter out) {
        out.int32(bounds.contentMax());
        out.int32(bounds.payloadMax());
        out.int32(bounds.inFlightMax());
        out.int32(bounds.listMax());
        out.int32(bounds.waitMaxMillis());
        out.int32(bounds.leaseMaxMillis());
    }

    private static void write(Message message, FieldWriter out) {
        out.int64(message.id());
        out.int32(message.queue());
        out.int32(message.sender());
        out.int32(message.receiver());
        out.int32(message.priority());
        out.int64(message.context());
        out.int64(message.sentMillis());
        out.int32(message.deliveries());
        out.int64(message.leaseToken());
        out.bytes(message.content());
    }

    private static Message readMessage(FieldReader in) throws ProtocolException {
        return new Message(in.int64(), in.int32(), readEnvelope(in), readDelivery(in), in.bytes());
    }

    private static Message.Envelope readEnvelope(FieldReader in) throws ProtocolException {
        return new Message.Envelope(in.int32(), in.int32(), in.int32(), in.int64(), in.int64());
    }

    private static Message.Delivery readDelivery(FieldReader in) throws ProtocolException {
        return new Message.Delivery(in.int32(), in.int64());
    }

    private static boolean hasProperties(FieldReader in, FrameReader frame) {
        return frame.has(Features.PROPERTIES) && in.hasMore();
    }

    private static Response.Delivery readDelivery(FieldReader in, FrameReader frame) throws ProtocolException {
        if (!in.bool()) {
            return Response.Delivery.NONE;
        }
        Message message = readMessage(in);
        return new Response.Delivery(hasProperties(in, frame) ? message.with(in.properties()) : message);
    }

    private static List<Message> readMessages(FieldReader in, FrameReader frame) throws ProtocolException {
        int count = in.length(LEAST_MESSAGE_BYTES);
        List<Message> messages = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            messages.add(readMessage(in));
        }
        if (hasProperties(in, frame)) {
            in.count(count);
            for (int i = 0; i < count; i++) {
                messages.set(i, messages.get(i).with(in.properties()));
            }
        }
        return messages;
    }
}
