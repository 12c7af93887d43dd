package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each type of request that there is, asked once. A type that is added has to be asked here. */
class EveryRequestTest {
    private static final byte[] CONTENT = {7};
    private static final int LEASE_MILLIS = 60_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of());

    @OnEveryStorage
    void shouldAnswerEveryTypeOfRequest(StorageKind storage) throws Exception {
        for (FrameType type : Arrays.stream(FrameType.values()).filter(FrameType::isRequest).toList()) {
            try (RawClient client = new RawClient(BROKERS.address(storage))) {
                assertThat(answer(client, type)).as(type.label()).isEqualTo(expected(type));
            }
        }
    }

    private static FrameType answer(RawClient client, FrameType type) throws Exception {
        if (type == FrameType.HELLO) {
            return client.hello(Features.ALL).type();
        }
        client.hello(Features.ALL);
        String name = BROKERS.name("asker");
        if (type == FrameType.REGISTER) {
            return client.register(name).type();
        }
        Response.Registered own = client.register(name);
        Request request = request(client, type, own, name);
        assertThat(request.type()).isEqualTo(type);
        if (type == FrameType.RECEIVED) {
            client.send(request);
            return client.ask(new Request.Echo(CONTENT)).type();
        }
        return client.ask(request).type();
    }

    private static Request request(RawClient client, FrameType type, Response.Registered own, String name)
            throws Exception {
        MessageQuery query = MessageQuery.queue(own.ownQueue());
        return switch (type) {
            case CREATE_QUEUE -> new Request.CreateQueue(BROKERS.name("queue"));
            case DELETE_QUEUE -> new Request.DeleteQueue(queue(client).queue(), true);
            case LOOKUP_QUEUE -> new Request.LookupQueue(queue(client).name());
            case LOOKUP_CLIENT -> new Request.LookupClient(name);
            case LOOKUP_CLIENT_QUEUE -> new Request.LookupClientQueue(0, name);
            case SEND_MESSAGE -> new Request.SendMessage(new int[] {own.ownQueue()}, 0, 5, 0, "", CONTENT);
            case SEND_MESSAGE_TO_CLIENT -> new Request.SendMessageToClient(own.client(), 5, CONTENT);
            case SEND_REQUEST_TO_CLIENT -> new Request.SendRequestToClient(own.client(), 5, CONTENT);
            case SEND_RESPONSE_TO_CLIENT -> new Request.SendResponseToClient(own.client(), 9, 5, CONTENT);
            case SEND_MESSAGES -> new Request.SendMessages(List.of(new OutgoingMessage(own.ownQueue(), CONTENT, 5)));
            case QUEUES_WITH_PENDING_MESSAGES -> new Request.QueuesWithPendingMessages(10, false);
            case PEEK_MESSAGE -> new Request.PeekMessage(query);
            case DEQUEUE_MESSAGE -> new Request.DequeueMessage(query);
            case DEQUEUE_MESSAGES -> new Request.DequeueMessages(query, 10);
            case RECEIVE_MESSAGE -> new Request.ReceiveMessage(query, LEASE_MILLIS);
            case ACKNOWLEDGE, EXTEND, RELEASE -> ofALease(type, leased(client, own));
            case RECEIVE_MESSAGES -> new Request.ReceiveMessages(query, 10, LEASE_MILLIS);
            case ACKNOWLEDGE_MESSAGES, EXTEND_LEASES, RELEASE_MESSAGES ->
                    ofLeases(type, List.of(leased(client, own).lease()));
            case QUEUE_LENGTH -> new Request.QueueLength(own.ownQueue());
            case MOVE_MESSAGES -> new MoveMessages(own.ownQueue(), queue(client).queue(), 10);
            case AUTHENTICATE -> new Request.Authenticate("SCRAM-SHA-256", CONTENT);
            case CREATE_TOPIC -> new TopicRequest.CreateTopic(BROKERS.name("topic"));
            case DELETE_TOPIC -> new TopicRequest.DeleteTopic(topic(client).topic());
            case LOOKUP_TOPIC -> new TopicRequest.LookupTopic(topic(client).name());
            case SUBSCRIBE -> new TopicRequest.Subscribe(topic(client).topic(), "all", "", true);
            case UNSUBSCRIBE -> new TopicRequest.Unsubscribe(subscribed(client), "all");
            case PUBLISH -> new TopicRequest.Publish(topic(client).topic(), 5, 0, "", CONTENT,
                    MessageProperties.NONE);
            case ECHO -> new Request.Echo(CONTENT);
            case BROKER_STATUS -> new Request.BrokerStatus();
            case GOODBYE -> new Request.Goodbye();
            case STATEMENT -> new Statement("whoami");
            case KEEP_ALIVE -> new Request.KeepAlive();
            case CANCEL -> new Request.Cancel(asked(client, query));
            case RECEIVED -> new Request.Received();
            default -> throw new AssertionError("nobody asks " + type.label() + " here");
        };
    }

    private static FrameType expected(FrameType type) {
        return switch (type) {
            case REGISTER -> FrameType.REGISTERED;
            case CREATE_QUEUE, LOOKUP_QUEUE, LOOKUP_CLIENT_QUEUE, SUBSCRIBE -> FrameType.QUEUE_FOUND;
            case CREATE_TOPIC, LOOKUP_TOPIC -> FrameType.TOPIC_FOUND;
            case PUBLISH -> FrameType.PUBLISHED;
            case LOOKUP_CLIENT -> FrameType.CLIENT_FOUND;
            case SEND_REQUEST_TO_CLIENT -> FrameType.CONTEXT_ASSIGNED;
            case QUEUES_WITH_PENDING_MESSAGES -> FrameType.PENDING_QUEUES;
            case PEEK_MESSAGE, DEQUEUE_MESSAGE, RECEIVE_MESSAGE -> FrameType.DELIVERY;
            case DEQUEUE_MESSAGES, RECEIVE_MESSAGES -> FrameType.DELIVERIES;
            case ACKNOWLEDGE_MESSAGES, EXTEND_LEASES, RELEASE_MESSAGES -> FrameType.LEASE_STATUSES;
            case QUEUE_LENGTH -> FrameType.LENGTH;
            case MOVE_MESSAGES -> FrameType.MOVED;
            case ECHO, RECEIVED -> FrameType.ECHOED;
            case BROKER_STATUS -> FrameType.STATUS_REPORT;
            case HELLO -> FrameType.WELCOME;
            // These brokers have no users; AuthenticationContractTest and StatementContractTest have those with users.
            case AUTHENTICATE, STATEMENT -> FrameType.FAILURE;
            default -> FrameType.DONE;
        };
    }

    private static Request ofALease(FrameType type, Message message) {
        return switch (type) {
            case ACKNOWLEDGE -> new Request.Acknowledge(message.id(), message.leaseToken());
            case EXTEND -> new Request.Extend(message.id(), message.leaseToken(), LEASE_MILLIS);
            default -> new Request.Release(message.id(), message.leaseToken());
        };
    }

    private static Request ofLeases(FrameType type, List<Lease> leases) {
        return switch (type) {
            case ACKNOWLEDGE_MESSAGES -> new Request.AcknowledgeMessages(leases);
            case EXTEND_LEASES -> new Request.ExtendLeases(leases, LEASE_MILLIS);
            default -> new Request.ReleaseMessages(leases);
        };
    }

    private static Response.QueueFound queue(RawClient client) throws Exception {
        return (Response.QueueFound) client.ask(new Request.CreateQueue(BROKERS.name("queue")));
    }

    private static Response.TopicFound topic(RawClient client) throws Exception {
        return (Response.TopicFound) client.ask(new TopicRequest.CreateTopic(BROKERS.name("topic")));
    }

    private static int subscribed(RawClient client) throws Exception {
        int topic = topic(client).topic();
        client.ask(new TopicRequest.Subscribe(topic, "all", "", true));
        return topic;
    }

    private static Message leased(RawClient client, Response.Registered own) throws Exception {
        client.ask(new Request.SendMessageToClient(own.client(), 5, CONTENT));
        return ((Response.Delivery) client.ask(new Request.ReceiveMessage(MessageQuery.queue(own.ownQueue()),
                LEASE_MILLIS))).message();
    }

    private static int asked(RawClient client, MessageQuery query) throws Exception {
        int id = client.send(new Request.DequeueMessage(query));
        client.read();
        return id;
    }
}
