package ch.ethz.mlmq.campaign;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The outcomes of all messages.
 *
 * @param acknowledged sent, and acknowledged by a broker
 * @param received     by a classic dequeue, or under a lease and acknowledged
 * @param left         still in the database
 * @param unanswered   acknowledged and gone, each with a classic dequeue whose response never reached its client
 * @param lost         acknowledged and gone otherwise
 * @param doubled      received twice, or received and still there
 * @param torn         published to some of the subscriptions only
 */
public record Balance(int kills, int acknowledged, int received, int left, int unanswered, int lost, int doubled,
        int torn) {
    /** @return whether every acknowledged message is accounted for, once */
    public boolean isEven() {
        return lost == 0 && doubled == 0 && torn == 0;
    }

    @Override
    public String toString() {
        return "kills " + kills + " acknowledged " + acknowledged + " received " + received + " left " + left
                + " unanswered " + unanswered + " lost " + lost + " doubled " + doubled + " torn " + torn;
    }

    static Balance of(int kills, Books classic, Books lease, int torn) {
        int classicMissing = classic.missing();
        int unanswered = Math.min(classicMissing, classic.unanswered);
        return new Balance(kills, classic.acknowledged.size() + lease.acknowledged.size(),
                classic.received.size() + lease.received.size(), classic.left.size() + lease.left.size(), unanswered,
                classicMissing - unanswered + lease.missing(), classic.doubled() + lease.doubled(), torn);
    }

    /** The messages of queues that are read in one way. */
    static final class Books {
        private final Set<String> acknowledged = new HashSet<>();
        private final Set<String> handedOut = new HashSet<>();
        private final Map<String, Integer> received = new HashMap<>();
        private final Map<String, Integer> left = new HashMap<>();
        private int unanswered;

        void acknowledged(String message) {
            acknowledged.add(message);
        }

        /** A client has received the message, or has begun to acknowledge it, so no other client need receive it. */
        void handedOut(String message) {
            handedOut.add(message);
        }

        /** A client has received the message and acknowledged it. */
        void received(String message) {
            received.merge(message, 1, Integer::sum);
        }

        void left(String message) {
            left.merge(message, 1, Integer::sum);
        }

        void unanswered(int requests) {
            unanswered += requests;
        }

        /** @return messages that a client was given, or that are in the database */
        Set<String> seen() {
            Set<String> seen = new HashSet<>(handedOut);
            seen.addAll(left.keySet());
            return seen;
        }

        private int missing() {
            return missingMessages().size();
        }

        /** @return acknowledged, never handed out, and not in the database */
        List<String> missingMessages() {
            return acknowledged.stream()
                    .filter(message -> !handedOut.contains(message) && !left.containsKey(message)).toList();
        }

        private int doubled() {
            return doubledMessages().stream().mapToInt(message -> copies(message) - 1).sum();
        }

        /** @return received twice, or received and still in the database */
        List<String> doubledMessages() {
            Set<String> all = new HashSet<>(received.keySet());
            all.addAll(left.keySet());
            return all.stream().filter(message -> copies(message) > 1).toList();
        }

        private int copies(String message) {
            return received.getOrDefault(message, 0) + left.getOrDefault(message, 0);
        }
    }
}
