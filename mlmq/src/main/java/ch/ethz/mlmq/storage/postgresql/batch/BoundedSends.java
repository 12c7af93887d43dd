package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.postgresql.limit.LimitDirectory;
import ch.ethz.mlmq.storage.postgresql.operation.Rooms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The calls of a plan that store messages in queues with a limit of length. */
final class BoundedSends {
    private final List<PlannedCall> calls = new ArrayList<>();
    /** Messages and bytes that come into queues that drop others. */
    private final Map<Integer, long[]> dropping = new HashMap<>();

    /** @return what the call stores in such queues; a publish with a key may store elsewhere, too */
    static List<Rooms.Arrival> of(PlannedCall call, LimitDirectory limits) {
        if (limits.isEmpty() || call.kind == CallKind.ANSWERED) {
            return List.of();
        }
        Request request = call.request();
        if (request instanceof Request.SendMessages bulk) {
            return Rooms.arrivals(limits, bulk.messages());
        }
        if (request instanceof Request.SendMessage send && call.kind != CallKind.SEND) {
            return arrivals(IntStream.of(send.queues()), send.priority(), call.sentBytes(), limits);
        }
        if (request instanceof Request.Send send) {
            return limits.isBounded(call.queue) ? arrivals(IntStream.of(call.queue), send.priority(), call.sentBytes(),
                    limits) : List.of();
        }
        return request instanceof TopicRequest.Publish publish && call.subscriptions != null
                ? ofPublish(call, publish, limits) : List.of();
    }

    private static List<Rooms.Arrival> ofPublish(PlannedCall call, TopicRequest.Publish publish,
            LimitDirectory limits) {
        int[] copies = call.kind == CallKind.PUBLISH ? call.copies : call.subscriptions.taking(publish);
        return arrivals(Arrays.stream(copies), publish.priority(),
                publish.content().length + publish.properties().encoded().length, limits);
    }

    private static List<Rooms.Arrival> arrivals(IntStream queues, int priority, int bytes, LimitDirectory limits) {
        return queues.filter(limits::isBounded)
                .mapToObj(queue -> new Rooms.Arrival(queue, priority, bytes, limits.of(queue))).toList();
    }

    /**
     * No plan stores more in a queue that drops messages than the queue may hold, as none of these could be dropped for
     * another one.
     */
    boolean hasRoomFor(PlannedCall call) {
        return calls.isEmpty() || call.arrivals.stream().allMatch(one -> {
            long[] sum = dropping.getOrDefault(one.queue(), new long[2]);
            return !one.limits().drops() || sum[0] + call.arrivals.size() <= one.limits().messagesMax()
                    && sum[1] + call.arrivals.stream().mapToLong(Rooms.Arrival::bytes).sum() <= one.limits().bytesMax();
        });
    }

    void add(PlannedCall call) {
        if (!call.arrivals.isEmpty()) {
            calls.add(call);
            for (Rooms.Arrival one : call.arrivals) {
                long[] sum = dropping.computeIfAbsent(one.queue(), queue -> new long[2]);
                sum[0]++;
                sum[1] += one.bytes();
            }
        }
    }

    List<PlannedCall> calls() {
        return calls;
    }
}
