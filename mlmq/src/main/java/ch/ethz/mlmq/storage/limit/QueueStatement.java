package ch.ethz.mlmq.storage.limit;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement about limits of queues. */
public sealed interface QueueStatement permits QueueStatement.Limit, QueueStatement.Describe, QueueStatement.Show {
    /** What users write. */
    String USAGE = "limit queue NAME to LIMITS, unlimit queue NAME, describe queue NAME, list limits";

    /** Gives a queue these limits and no others. @param queue name of a public queue or subscription, or # and an id */
    record Limit(String queue, QueueLimits limits) implements QueueStatement {
    }

    /** Shows the length and the limits of a queue. */
    record Describe(String queue) implements QueueStatement {
    }

    /** Lists the limits of all queues. */
    record Show() implements QueueStatement {
    }

    /** @return name of the queue; null if it is about all */
    default String name() {
        if (this instanceof Limit limit) {
            return limit.queue;
        }
        return this instanceof Describe describe ? describe.queue : null;
    }

    /** @return the limits; null if it only shows something */
    default QueueLimits wanted() {
        return this instanceof Limit limit ? limit.limits : null;
    }

    /** @return id of the queue if the text is # and an id; 0 if it is a name */
    static int id(String queue) {
        return queue.startsWith("#") ? Integer.parseInt(queue.substring(1)) : 0;
    }

    /** @return the statement that gives a queue these limits, or that it has none */
    static String shown(String name, QueueLimits limits) {
        return limits.equals(QueueLimits.NONE) ? "queue '" + name + "' has no limits"
                : "limit queue '" + name + "' to " + limits;
    }

    /** @return the response to {@link Describe} */
    static String shown(String name, int id, String length, QueueLimits limits) {
        return "queue '" + name + "' (#" + id + "): " + length + "\n" + shown(name, limits);
    }

    /** @return true if the text begins as such a statement */
    static boolean isOne(String text) {
        return Syntax.BEGIN.matcher(text.strip()).find();
    }

    /**
     * Reads a statement, such as {@code limit queue 'orders' to 10000 messages, 64 MB, drop oldest}.
     *
     * @throws IllegalArgumentException if it is none; the message says what there is
     */
    static QueueStatement parse(String text) {
        Matcher parts = Syntax.STATEMENT.matcher(text.strip());
        if (!parts.matches() || parts.group("limits") == null == "limit".equalsIgnoreCase(parts.group("verb"))) {
            throw new IllegalArgumentException("write " + USAGE + "; " + LimitSyntax.USAGE);
        }
        if (parts.group("verb") == null) {
            return new Show();
        }
        String queue = parts.group("queue");
        return switch (parts.group("verb").toLowerCase(Locale.ROOT)) {
            case "describe" -> new Describe(queue);
            case "unlimit" -> new Limit(queue, QueueLimits.NONE);
            default -> new Limit(queue, LimitSyntax.parse(parts.group("limits")));
        };
    }

    /** The patterns. */
    final class Syntax {
        private static final Pattern BEGIN = Pattern.compile("(?i)^(?:(?:un)?limit|describe|list\\s+limits)\\b");
        private static final Pattern STATEMENT = Pattern.compile("(?i)list\\s+limits|"
                + "(?<verb>limit|unlimit|describe)\\s+queue\\s+"
                + "(?<quote>'?)(?<queue>[A-Za-z0-9._/-]{1,110}|#\\d{1,9})\\k<quote>"
                + "(?:\\s+to\\s+(?<limits>.+))?");

        private Syntax() {
        }
    }
}
