package ch.ethz.mlmq.storage.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Rights on all objects of a kind whose name matches a pattern.
 *
 * @param account name of the user or role that has them, or {@link #EVERYBODY}
 * @param kind    of the objects
 * @param pattern of their names, in which % stands for any characters
 * @param rights  a sum of {@link Right#bit()}
 */
public record Grant(String account, Kind kind, String pattern, int rights) {
    /** Stands for all users, so no user has this name. */
    public static final String EVERYBODY = "everybody";
    /** The pattern of all names. */
    public static final String ANY = "%";
    private static final Pattern STATEMENT = Pattern.compile("(?i)(?<verb>grant|revoke)\\s+"
            + "(?<rights>\\w+(?:\\s*,\\s*\\w+)*)\\s+on\\s+"
            + "(?:(?<kind>queue|client)\\s+(?<quote>'?)(?<pattern>[A-Za-z0-9._%/-]{1,100})\\k<quote>|(?<broker>broker))"
            + "\\s+(?<way>to|from)\\s+(?<user>[A-Za-z0-9._-]{1,50})");

    /** The kind of an object. */
    public enum Kind {
        /** A public queue. */
        QUEUE,
        /** A topic; rights on it are those on queues of its name. */
        TOPIC,
        /** A client, into whose personal queue others send. */
        CLIENT,
        /** The brokers of the database. */
        BROKER;

        /** @return its word in a statement */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads a statement such as {@code grant send, receive on queue 'orders.%' to app}.
     *
     * @throws IllegalArgumentException if it is none; the message has the syntax
     */
    public static AccessStatement.Change parse(String statement) {
        Matcher parts = STATEMENT.matcher(statement.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("write grant send, receive, manage on queue 'orders.%' to USER, or "
                    + "revoke … from USER; instead of queue '…' also client '…' or broker, instead of USER everybody");
        }
        boolean adds = isGiven(parts);
        Kind kind = parts.group("broker") == null ? Kind.valueOf(parts.group("kind").toUpperCase(Locale.ROOT))
                : Kind.BROKER;
        return new AccessStatement.Change(adds, new Grant(parts.group("user"), kind,
                kind == Kind.BROKER ? ANY : parts.group("pattern"), rights(kind, parts.group("rights"))));
    }

    /** @return true if the statement gives something to somebody, false if it takes it away */
    static boolean isGiven(Matcher parts) {
        boolean adds = parts.group("verb").equalsIgnoreCase("grant");
        if (adds != parts.group("way").equalsIgnoreCase("to")) {
            throw new IllegalArgumentException("rights and roles are granted to a user, and revoked from a user");
        }
        return adds;
    }

    private static int rights(Kind kind, String words) {
        List<Right> possible = switch (kind) {
            case QUEUE, TOPIC -> List.of(Right.values());
            case CLIENT -> List.of(Right.SEND);
            case BROKER -> List.of(Right.RECEIVE, Right.MANAGE);
        };
        int rights = 0;
        for (String word : words.toLowerCase(Locale.ROOT).split("\\s*,\\s*")) {
            rights |= possible.stream().filter(right -> right.word().equals(word)).findFirst().orElseThrow(() ->
                    new IllegalArgumentException("the rights on a " + kind.word() + " are " + possible.stream()
                            .map(Right::word).collect(Collectors.joining(", ")) + ", and not " + word)).bit();
        }
        return rights;
    }

    /** @return true if the object has a name of the pattern */
    public boolean matches(Kind of, String name) {
        return kind == of && matches(pattern, name);
    }

    /** Takes the first place of each part, which finds a match if there is one. */
    private static boolean matches(String pattern, String name) {
        List<String> parts = Arrays.asList(pattern.split(ANY, -1));
        if (parts.size() == 1) {
            return pattern.equals(name);
        }
        String last = parts.get(parts.size() - 1);
        if (!name.startsWith(parts.get(0))) {
            return false;
        }
        int at = parts.get(0).length();
        for (String part : parts.subList(1, parts.size() - 1)) {
            int found = name.indexOf(part, at);
            if (found < 0) {
                return false;
            }
            at = found + part.length();
        }
        return name.length() - at >= last.length() && name.endsWith(last);
    }

    /** @return the statement that makes it */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        for (Right right : Right.values()) {
            if ((rights & right.bit()) != 0) {
                words.add(right.word());
            }
        }
        return "grant " + String.join(", ", words) + " on " + kind.word()
                + (kind == Kind.BROKER ? "" : " '" + pattern + "'") + " to " + account;
    }
}
