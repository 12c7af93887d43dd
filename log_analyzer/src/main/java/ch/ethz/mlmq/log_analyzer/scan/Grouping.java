package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.source.Place;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Selects lines and combines them to groups.
 *
 * @param prefixes  an action must begin with one of these; with none given every action is wanted
 * @param keys      lines equal in all of these are one group
 */
public record Grouping(List<String> prefixes, List<Key> keys) {
    private static final String NO_STATUS = "-";

    /** Properties that distinguish lines. */
    public enum Key {
        ACTION, ROLE, JVM, MACHINE, STATUS, TIER;

        /** @return the name of the column */
        public String column() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Optional<Key> named(String name) {
            return Arrays.stream(values()).filter(key -> key.column().equals(name)).findFirst();
        }

        String labelOf(Place place, String action) {
            return switch (this) {
                case ACTION -> action;
                case ROLE -> place.role();
                case JVM -> place.jvm();
                case MACHINE -> place.machine();
                case STATUS -> statusOf(action);
                case TIER -> tierOf(action);
            };
        }
    }

    public static Grouping byAction(String... prefixes) {
        return new Grouping(List.of(prefixes), List.of(Key.ACTION));
    }

    /** @return one label for each key, or empty if the action is not wanted */
    public Optional<List<String>> labelsOf(Place place, String action) {
        boolean wanted = prefixes.isEmpty() || prefixes.stream().anyMatch(action::startsWith);
        return wanted ? Optional.of(keys.stream().map(key -> key.labelOf(place, action)).toList()) : Optional.empty();
    }

    /** @return true if the writer of a line does not matter */
    boolean isByActionAlone() {
        return Set.of(Key.ACTION, Key.STATUS, Key.TIER).containsAll(keys);
    }

    /** @return the tier of an action: client, broker, or database */
    private static String tierOf(String action) {
        if (action.startsWith("CSndReq")) {
            return "client";
        }
        return action.startsWith("BDb#") ? "database" : "broker";
    }

    /** @return {@code TIMEOUT} of {@code CSndReq#TIMEOUT#SendMessage}; a dash if the action has no outcome */
    public static String statusOf(String action) {
        String[] parts = action.split("#");
        return parts.length >= 3 ? parts[1] : NO_STATUS;
    }
}
