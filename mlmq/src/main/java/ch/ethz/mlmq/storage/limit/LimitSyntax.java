package ch.ethz.mlmq.storage.limit;

import ch.ethz.mlmq.protocol.MessageProperties;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads limits of a queue, such as {@code 10000 messages, 64 MB, drop oldest}. */
final class LimitSyntax {
    static final String USAGE = "LIMITS are some of: 10000 messages, 64 MB, refuse or drop oldest, age 7d, "
            + "5 attempts, backoff 1s to 1min";
    private static final long MESSAGES_MAX = 1_000_000_000_000L;
    private static final long BYTES_MAX = 1L << 50;
    private static final int ATTEMPTS_MAX = 1_000_000;
    /** As of a lease [ms]. */
    private static final long BACKOFF_MAX = 43_200_000;
    private static final Pattern LIMIT = Pattern.compile("(?i)(?<messages>\\d{1,13})\\s*messages?"
            + "|(?<bytes>\\d{1,16})\\s*(?<unit>B|KB|MB|GB)|(?<full>refuse|drop\\s+oldest)"
            + "|age\\s+(?<age>\\d{1,13})\\s*(?<ageUnit>ms|s|min|h|d)|(?<attempts>\\d{1,9})\\s*attempts?"
            + "|backoff\\s+(?<wait>\\d{1,9})\\s*(?<waitUnit>ms|s|min|h)"
            + "(?:\\s+to\\s+(?<last>\\d{1,9})\\s*(?<lastUnit>ms|s|min|h))?");

    private final Set<String> named = new HashSet<>();
    private long messages;
    private long bytes;
    private boolean drops;
    private long ageMillis;
    private int attempts;
    private long backoffMillis;
    private long backoffMaxMillis;

    private LimitSyntax() {
    }

    static QueueLimits parse(String text) {
        LimitSyntax syntax = new LimitSyntax();
        for (String one : text.split(",", -1)) {
            syntax.read(one.strip());
        }
        return syntax.limits();
    }

    private QueueLimits limits() {
        QueueLimits limits = new QueueLimits(messages, bytes, drops, ageMillis, attempts, backoffMillis,
                backoffMaxMillis);
        if (named.contains("full") && !limits.isBounded()) {
            throw new IllegalArgumentException("refuse and drop oldest need a number of messages or bytes");
        }
        return limits;
    }

    private void read(String one) {
        Matcher parts = LIMIT.matcher(one);
        if (!parts.matches()) {
            throw new IllegalArgumentException("\"" + one + "\" is no limit; " + USAGE);
        }
        if (parts.group("messages") != null) {
            messages = within(once("messages", parts), MESSAGES_MAX, one);
        } else if (parts.group("bytes") != null) {
            bytes = within(Amount.bytes(once("bytes", parts), parts.group("unit")), BYTES_MAX, one);
        } else if (parts.group("full") != null) {
            drops = !"refuse".equalsIgnoreCase(once("full", parts));
        } else if (parts.group("age") != null) {
            ageMillis = within(Amount.millis(once("age", parts), parts.group("ageUnit")), MessageProperties.MAX_MILLIS,
                    one);
        } else if (parts.group("attempts") != null) {
            attempts = (int) within(once("attempts", parts), ATTEMPTS_MAX, one);
        } else {
            backoff(parts, one);
        }
    }

    private void backoff(Matcher parts, String one) {
        backoffMillis = within(Amount.millis(once("wait", parts), parts.group("waitUnit")), BACKOFF_MAX, one);
        backoffMaxMillis = parts.group("last") == null ? backoffMillis
                : within(Amount.millis(parts.group("last"), parts.group("lastUnit")), BACKOFF_MAX, one);
        if (backoffMaxMillis < backoffMillis) {
            throw new IllegalArgumentException("\"" + one + "\": the last wait is shorter than the first");
        }
    }

    private String once(String limit, Matcher parts) {
        if (!named.add(limit)) {
            throw new IllegalArgumentException("each limit is given once");
        }
        return parts.group(limit);
    }

    private static long within(String number, long most, String one) {
        return within(Long.parseLong(number), most, one);
    }

    private static long within(long value, long most, String one) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("\"" + one + "\" is not 1.." + most);
        }
        return value;
    }
}
