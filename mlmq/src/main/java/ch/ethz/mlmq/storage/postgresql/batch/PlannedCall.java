package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.postgresql.operation.Rooms;
import ch.ethz.mlmq.storage.topic.Subscriptions;
import java.util.Arrays;
import java.util.List;

/** A call in a batch of PostgreSQL, with its place in that batch's plan. */
final class PlannedCall {
    /** The queue of a publish, which has several. */
    static final int SEVERAL = -1;
    private static final int[] NONE = {};

    final Call call;
    CallKind kind;
    int round;
    /** The queue of a take or a send. */
    int queue;
    /** The context of a sent message, or 0. */
    long context;
    /** The call of the same lane planned before this one, or null. */
    PlannedCall previousInLane;

    /** Subscriptions of the topic of a publish, as the broker knows them; null if there is no topic. */
    Subscriptions subscriptions;
    /** Ids of the queues that a publish puts a copy into, in ascending order. */
    int[] copies = NONE;
    /** What it stores in queues with a limit of length. */
    List<Rooms.Arrival> arrivals = List.of();
    /** How often the subscriptions of its topic had changed when it was executed. */
    int staleTimes;

    private final boolean joining;
    private boolean apart;

    PlannedCall(Call call) {
        this(call, false);
    }

    private PlannedCall(Call call, boolean joining) {
        this.call = call;
        this.joining = joining;
    }

    /** @return a call that has waited for a message which another call of the batch stores */
    static PlannedCall joining(Call call) {
        return new PlannedCall(call, true);
    }

    /** @return true if it has to be behind the calls that store messages */
    boolean isJoining() {
        return joining;
    }

    /** Gives an acknowledgement its own statement from now on, so that other calls do not wait for its locks. */
    void setApart() {
        apart = true;
    }

    /** @return true if it has its own statement, although such calls usually share one */
    boolean isApart() {
        return apart;
    }

    /** @return lease of the messages of a take [ms]; 0 if it removes them */
    int leaseMillis() {
        if (call.request() instanceof Request.ReceiveMessage receive) {
            return receive.leaseMillis();
        }
        return call.request() instanceof Request.ReceiveMessages receive ? receive.leaseMillis() : 0;
    }

    /** @return true if it takes several messages, as many as fit into its response */
    boolean isBulkTake() {
        return call.request() instanceof Request.BulkRetrieval;
    }

    /** @return number of messages that a take requests */
    int requestedMessages() {
        return call.request() instanceof Request.BulkRetrieval bulk ? bulk.max() : 1;
    }

    /** @return leases of an acknowledgement */
    List<Lease> leases() {
        if (call.request() instanceof Request.Acknowledge one) {
            return List.of(new Lease(one.message(), one.leaseToken()));
        }
        return call.request() instanceof Request.AcknowledgeMessages many ? many.leases() : List.of();
    }

    /** @return properties of the message that it sends */
    MessageProperties properties() {
        return call.request() instanceof Request.SendMessage send ? send.properties() : MessageProperties.NONE;
    }

    /** @return true if both concern the same queue */
    boolean meets(PlannedCall other) {
        if (copies.length == 0 && other.copies.length == 0) {
            return queue == other.queue;
        }
        return Arrays.binarySearch(copies, other.queue) >= 0 || Arrays.binarySearch(other.copies, queue) >= 0
                || Arrays.stream(copies).anyMatch(copy -> Arrays.binarySearch(other.copies, copy) >= 0);
    }

    /** @return bytes of the message that it sends */
    int sentBytes() {
        return ((Request.Send) call.request()).content().length + properties().encoded().length;
    }

    /** @return bytes of the parameters of a publish */
    int publishedBytes() {
        TopicRequest.Publish publish = (TopicRequest.Publish) call.request();
        return publish.content().length + publish.properties().encoded().length + 2 * Integer.BYTES * copies.length;
    }

    /** @return true if only its id tells the message from the one that this call stores */
    boolean storesEqual(Message message) {
        if (message.sender() != call.client() || message.context() != context) {
            return false;
        }
        if (call.request() instanceof TopicRequest.Publish publish) {
            return message.priority() == publish.priority() && Arrays.equals(message.content(), publish.content())
                    && message.properties().equals(publish.properties());
        }
        Request.Send send = (Request.Send) call.request();
        return message.priority() == send.priority() && Arrays.equals(message.content(), send.content())
                && message.properties().equals(properties());
    }

    Request request() {
        return call.request();
    }

    Response response() {
        return call.response();
    }

    void answer(Response answer) {
        call.answer(answer);
    }
}
