package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Status;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Pauses of a client of a closed load whose requests the system refuses for a reason that repetition does not change,
 * such as a topic that a memory broker forgot at its restart. Each refusal in a row of a kind of request doubles the
 * pause.
 */
final class RefusalPause {
    static final long SHORTEST_NANOS = 10_000_000;
    static final long LONGEST_NANOS = 1_000_000_000;

    private static final Set<Status> LASTING = EnumSet.of(Status.QUEUE_DOES_NOT_EXIST, Status.TOPIC_DOES_NOT_EXIST,
            Status.CLIENT_DOES_NOT_EXIST, Status.SUBSCRIPTION_DOES_NOT_EXIST, Status.SUBSCRIPTION_EXISTS,
            Status.CONTENT_TOO_LONG, Status.INVALID_REQUEST, Status.NOT_OWNER, Status.NOT_REGISTERED,
            Status.NOT_AUTHENTICATED, Status.NOT_PERMITTED);

    private final Map<FrameType, Long> pauses = new EnumMap<>(FrameType.class);

    /** @return the pause after a response of that status [ns]; 0 if the next request may succeed */
    long after(FrameType request, Status status) {
        if (!LASTING.contains(status)) {
            pauses.remove(request);
            return 0;
        }
        return pauses.merge(request, SHORTEST_NANOS, (last, shortest) -> Math.min(2 * last, LONGEST_NANOS));
    }
}
