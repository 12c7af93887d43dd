package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes requests. */
public final class RequestCodec {
    private static final int LEAST_OUTGOING_BYTES = 28;
    private static final int LEASE_BYTES = 16;
    private static final MessageQuery.Order[] ORDERS = MessageQuery.Order.values();

    private RequestCodec() {
    }

    /** @return bytes of the whole frame */
    public static int frameBytes(Request request) {
        FieldWriter counter = new FieldWriter(null);
        request.accept(new RequestWriter(counter));
        return FieldWriter.HEADER_BYTES + counter.size();
    }

    /**
     * Appends the request as a frame.
     *
     * @param out big-endian
     * @throws java.nio.BufferOverflowException if it does not fit; the caller must discard what was written
     */
    public static void encode(Request request, int correlationId, ByteBuffer out) {
        int start = out.position();
        out.putInt(0).putInt(request.type().code()).putInt(correlationId);
        request.accept(new RequestWriter(new FieldWriter(out)));
        out.putInt(start, out.position() - start - FrameReader.LENGTH_BYTES);
    }

    /** @return the request in the frame the reader has found */
    public static Request decode(FrameReader frame) throws ProtocolException {
        FrameType type = frame.type();
        if (!type.isRequest()) {
            throw new ProtocolException("frame type " + type.code() + " is not a request");
        }
        FieldReader in = frame.fields();
        Request request = read(type, in, frame);
        if (type != FrameType.HELLO && !frame.has(Features.EXTRA_FIELDS)) {
            in.finish();
        }
        return request;
    }

    private static Request read(FrameType type, FieldReader in, FrameReader frame) throws ProtocolException {
        return switch (type) {
            case REGISTER -> new Request.Register(in.string(),
                    frame.has(Features.SESSION_TOKEN) && in.hasMore() ? in.int64() : 0);
            case HELLO -> readHello(in);
            case KEEP_ALIVE -> new Request.KeepAlive();
            case CANCEL -> new Request.Cancel(in.int32());
            case RECEIVED -> new Request.Received();
            case CREATE_QUEUE -> new Request.CreateQueue(in.string());
            case DELETE_QUEUE -> new Request.DeleteQueue(in.int32(), in.bool());
            case LOOKUP_QUEUE -> new Request.LookupQueue(in.string());
            case LOOKUP_CLIENT -> new Request.LookupClient(in.string());
            case LOOKUP_CLIENT_QUEUE -> new Request.LookupClientQueue(in.int32(), in.string());
            case SEND_MESSAGE -> new Request.SendMessage(in.int32s(), in.int32(), in.int32(), in.int64(), in.string(),
                    in.bytes(), hasProperties(in, frame) ? in.properties() : MessageProperties.NONE);
            case SEND_MESSAGE_TO_CLIENT -> new Request.SendMessageToClient(in.int32(), in.int32(), in.bytes());
            case SEND_REQUEST_TO_CLIENT -> new Request.SendRequestToClient(in.int32(), in.int32(), in.bytes());
            case SEND_RESPONSE_TO_CLIENT -> new Request.SendResponseToClient(
                    in.int32(), in.int64(), in.int32(), in.bytes());
            case SEND_MESSAGES -> new Request.SendMessages(readOutgoing(in, frame));
            case QUEUES_WITH_PENDING_MESSAGES -> new Request.QueuesWithPendingMessages(in.int32(),
                    frame.has(Features.ADDRESSED) && in.hasMore() && in.bool());
            case PEEK_MESSAGE -> new Request.PeekMessage(filtered(readQuery(in), in, frame));
            case DEQUEUE_MESSAGE -> new Request.DequeueMessage(filtered(readQuery(in), in, frame));
            case DEQUEUE_MESSAGES, RECEIVE_MESSAGE, RECEIVE_MESSAGES -> readRetrieval(type, in, frame);
            case ACKNOWLEDGE -> new Request.Acknowledge(in.int64(), in.int64());
            case EXTEND -> new Request.Extend(in.int64(), in.int64(), in.int32());
            case RELEASE -> new Request.Release(in.int64(), in.int64());
            case ACKNOWLEDGE_MESSAGES -> new Request.AcknowledgeMessages(readLeases(in));
            case EXTEND_LEASES -> new Request.ExtendLeases(readLeases(in), in.int32());
            case RELEASE_MESSAGES -> new Request.ReleaseMessages(readLeases(in));
            case QUEUE_LENGTH -> new Request.QueueLength(in.int32());
            case AUTHENTICATE -> new Request.Authenticate(in.string(), in.bytes());
            case STATEMENT -> new Statement(in.string());
            case MOVE_MESSAGES -> new MoveMessages(in.int32(), in.int32(), in.int32());
            case ECHO -> new Request.Echo(in.bytes());
            case BROKER_STATUS -> new Request.BrokerStatus();
            case GOODBYE -> new Request.Goodbye();
            default -> readOfTopics(type, in);
        };
    }

    private static TopicRequest readOfTopics(FrameType type, FieldReader in) throws ProtocolException {
        return switch (type) {
            case CREATE_TOPIC -> new TopicRequest.CreateTopic(in.string());
            case DELETE_TOPIC -> new TopicRequest.DeleteTopic(in.int32());
            case LOOKUP_TOPIC -> new TopicRequest.LookupTopic(in.string());
            case SUBSCRIBE -> new TopicRequest.Subscribe(in.int32(), in.string(), in.string(), in.bool());
            case UNSUBSCRIBE -> new TopicRequest.Unsubscribe(in.int32(), in.string());
            case PUBLISH -> new TopicRequest.Publish(
                    in.int32(), in.int32(), in.int64(), in.string(), in.bytes(), in.properties());
            default -> throw new IllegalArgumentException(type + " is not a request");
        };
    }

    private static Request.Hello readHello(FieldReader in) throws ProtocolException {
        int magic = in.int32();
        if (magic != Request.Hello.MAGIC) {
            throw new ProtocolException("hello begins with the magic " + Integer.toHexString(Request.Hello.MAGIC)
                    + ", not " + Integer.toHexString(magic));
        }
        return new Request.Hello(in.int32(), in.int64(), in.string(), in.has(4) ? in.int32() : 0);
    }

    private static boolean hasProperties(FieldReader in, FrameReader frame) {
        return frame.has(Features.PROPERTIES) && in.hasMore();
    }

    private static List<OutgoingMessage> readOutgoing(FieldReader in, FrameReader frame) throws ProtocolException {
        int count = in.length(LEAST_OUTGOING_BYTES);
        List<OutgoingMessage> messages = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            messages.add(new OutgoingMessage(
                    in.int32(), in.int32(), in.int32(), in.int64(), in.string(), in.bytes()));
        }
        if (hasProperties(in, frame)) {
            in.count(count);
            for (int i = 0; i < count; i++) {
                messages.set(i, messages.get(i).with(in.properties()));
            }
        }
        return messages;
    }

    private static List<Lease> readLeases(FieldReader in) throws ProtocolException {
        int count = in.length(LEASE_BYTES);
        List<Lease> leases = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            leases.add(new Lease(in.int64(), in.int64()));
        }
        return leases;
    }

    private static Request readRetrieval(FrameType type, FieldReader in, FrameReader frame) throws ProtocolException {
        MessageQuery query = readQuery(in);
        int number = in.int32();
        int lease = type == FrameType.RECEIVE_MESSAGES ? in.int32() : number;
        MessageQuery filtered = filtered(query, in, frame);
        return switch (type) {
            case DEQUEUE_MESSAGES -> new Request.DequeueMessages(filtered, number);
            case RECEIVE_MESSAGE -> new Request.ReceiveMessage(filtered, lease);
            default -> new Request.ReceiveMessages(filtered, number, lease);
        };
    }

    /** The filter stands behind the other fields of a retrieval. */
    private static MessageQuery filtered(MessageQuery query, FieldReader in, FrameReader frame)
            throws ProtocolException {
        return frame.has(Features.FILTERS) && in.hasMore() ? query.matching(in.string()) : query;
    }

    private static MessageQuery readQuery(FieldReader in) throws ProtocolException {
        return new MessageQuery(in.int32(), in.int32(), in.int64(), in.bool(), readOrder(in), in.int32());
    }

    private static MessageQuery.Order readOrder(FieldReader in) throws ProtocolException {
        byte order = in.int8();
        if (order < 0 || order >= ORDERS.length) {
            throw new ProtocolException("an order is 0 (priority) or 1 (time), not " + order);
        }
        return ORDERS[order];
    }
}
