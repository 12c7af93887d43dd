package ch.ethz.mlmq.campaign;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

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
 * @param dropped      acknowledged, and gone from a queue that drops the oldest
 * @param refused      sends that a full queue refused
 * @param beyond       most messages that a queue held beyond its limit
 */
public record Balance(int kills, int acknowledged, int received, int left, int unanswered, int lost, int doubled,
        int torn, int dropped, int refused, int beyond) {
    /** @return whether every acknowledged message is accounted for, once, and no queue was beyond its limit */
    public boolean isEven() {
        return lost == 0 && doubled == 0 && torn == 0 && beyond == 0;
    }

    @Override
    public String toString() {
        return "kills " + kills + " acknowledged " + acknowledged + " received " + received + " left " + left
                + " unanswered " + unanswered + " lost " + lost + " doubled " + doubled + " torn " + torn
                + " dropped " + dropped + " refused " + refused + " beyond a limit " + beyond;
    }

    /** @return the books' outcomes; of a queue that drops messages, only the last one can be lost */
    static Balance of(int kills, Books classic, Books lease, Books dropping) {
        int classicMissing = classic.missing();
        int unanswered = Math.min(classicMissing, classic.unanswered);
        int lastLost = dropping.isLastMissing() ? 1 : 0;
        return new Balance(kills, sum(books -> books.acknowledged.size(), classic, lease, dropping),
                sum(books -> books.received.size(), classic, lease, dropping),
                sum(books -> books.left.size(), classic, lease, dropping), unanswered,
                classicMissing - unanswered + lease.missing() + lastLost,
                sum(Books::doubled, classic, lease, dropping), 0, dropping.missing() - lastLost, 0, 0);
    }

    Balance with(int tornMessages, int refusedSends, int beyondLimit) {
        return new Balance(kills, acknowledged, received, left, unanswered, lost, doubled, tornMessages, dropped,
                refusedSends, beyondLimit);
    }

    private static int sum(ToIntFunction<Books> figure, Books... books) {
        return Stream.of(books).mapToInt(figure).sum();
    }

    /** The messages of queues that are read in one way. */
    static final class Books {
        private final Set<String> acknowledged = new LinkedHashSet<>();
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

        /** @return whether the message that was acknowledged last is missing */
        private boolean isLastMissing() {
            List<String> missing = missingMessages();
            return !missing.isEmpty() && acknowledged.stream().reduce((first, later) -> later).orElseThrow()
                    .equals(missing.get(missing.size() - 1));
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
