package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Samples of every kind of frame, and more of those that have optional parts. */
public final class Samples {
    private static final byte[] CONTENT = "Grüezi".getBytes(StandardCharsets.UTF_8);
    private static final MessageQuery QUERY =
            MessageQuery.queue(7).from(8).withContext(Long.MAX_VALUE).addressedToMe().oldestFirst().waiting(60_000);
    private static final Message MESSAGE = new Message(1L << 40, 2,
            new Message.Envelope(3, 4, 5, 6, 1_383_684_920_571L), new Message.Delivery(8, -9), CONTENT);

    private Samples() {
    }

    public static Stream<Request> requests() {
        return Stream.of(
                new Request.Register("alice"),
                new Request.CreateQueue("jobs"),
                new Request.DeleteQueue(3, true),
                new Request.DeleteQueue(-3, false),
                new Request.LookupQueue("jobs"),
                new Request.LookupClient("bob"),
                new Request.LookupClientQueue(0, "bob"),
                new Request.LookupClientQueue(17, ""),
                new Request.SendMessage(new int[] {1, 2, 3}, 4, 10, 99, "key 1", CONTENT),
                new Request.SendMessage(new int[] {1}, 0, 1, 0, "", new byte[0]),
                new Request.SendMessageToClient(5, 6, CONTENT),
                new Request.SendRequestToClient(5, 6, CONTENT),
                new Request.SendResponseToClient(5, 1L << 33, 6, CONTENT),
                new Request.SendMessages(List.of(
                        new OutgoingMessage(1, CONTENT, 2), new OutgoingMessage(3, 4, 5, 6, "key", CONTENT))),
                new Request.SendMessages(List.of()),
                new Request.QueuesWithPendingMessages(20, false),
                new Request.QueueLength(-7),
                new Request.PeekMessage(MessageQuery.any()),
                new Request.PeekMessage(QUERY),
                new Request.DequeueMessage(MessageQuery.queue(1)),
                new Request.DequeueMessage(QUERY),
                new Request.DequeueMessages(QUERY, 1_000),
                new Request.ReceiveMessage(QUERY, 30_000),
                new Request.Acknowledge(1, 2),
                new Request.Extend(1, 2, 3),
                new Request.Release(1, 2),
                new Request.ReceiveMessages(QUERY, 1_000, 30_000),
                new Request.AcknowledgeMessages(List.of(new Lease(1, 2))),
                new Request.ExtendLeases(List.of(new Lease(1, -2), new Lease(Long.MAX_VALUE, Long.MIN_VALUE)), 3),
                new Request.ReleaseMessages(List.of(new Lease(1, 2), new Lease(1, 2))),
                new Request.ReleaseMessages(List.of()),
                new Request.Echo(CONTENT),
                new Request.BrokerStatus(),
                new Request.Hello(1, Features.ALL, "a client"),
                new Request.Authenticate("SCRAM-SHA-256", CONTENT),
                new Request.Authenticate("", new byte[0]),
                new Statement("grant readers to alice"),
                new TopicRequest.CreateTopic("prices"),
                new TopicRequest.DeleteTopic(5),
                new TopicRequest.LookupTopic("prices"),
                new TopicRequest.Subscribe(5, "all", "id = 'x'", true),
                new TopicRequest.Subscribe(5, "all", "", false),
                new TopicRequest.Unsubscribe(5, "all"), new MoveMessages(3, 4, 100),
                new TopicRequest.Publish(5, 6, 7, "key", CONTENT, MessageProperties.NONE.with("id", "x")),
                new TopicRequest.Publish(5, 6, 0, "", CONTENT, MessageProperties.NONE),
                new Request.KeepAlive(),
                new Request.Cancel(-5),
                new Request.Received(),
                new Request.Goodbye());
    }

    public static Stream<Response> responses() {
        return Stream.of(
                Response.Done.INSTANCE,
                new Response.Registered(1, 2),
                new Response.QueueFound(1, "jobs"),
                new Response.TopicFound(5, "prices"),
                new Response.Published(40),
                new Response.ClientFound(1, "bob"),
                new Response.ContextAssigned(Long.MIN_VALUE),
                new Response.PendingQueues(3, new int[] {4, 5}),
                new Response.PendingQueues(0, new int[0]),
                Response.Delivery.NONE,
                new Response.Delivery(MESSAGE),
                new Response.Deliveries(List.of()),
                new Response.Deliveries(List.of(MESSAGE, MESSAGE)),
                new Response.LeaseStatuses(List.of(Status.OK, Status.UNKNOWN_LEASE)),
                new Response.LeaseStatuses(List.of()),
                new Response.QueueLength(Long.MAX_VALUE, 7),
                new Response.Echoed(CONTENT),
                new Response.Welcome(1, "a broker", 5,
                        new Response.Bounds(2_000, 4_194_304, 5_000, 1_000, 60_000, 43_200_000), 30_000, ""),
                new Response.Welcome(1, "a broker", Features.ALL,
                        new Response.Bounds(2_000, 4_194_304, 5_000, 1_000, 60_000, 43_200_000), 30_000, "ONE TWO"),
                new Response.Challenge(false, CONTENT),
                new Response.Challenge(true, new byte[0]),
                new Response.Report("added role readers"), new Response.Moved(7),
                new Response.StatusReport("{\"clients\":1}"),
                new Response.Failure(Status.QUEUE_EXISTS, "queue jobs exists"));
    }
}
