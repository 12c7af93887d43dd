package ch.ethz.mlmq.config;

import java.util.Objects;

/**
 * One setting: its name, syntax, default and purpose.
 *
 * @param name         as in the properties file, such as {@code broker.workers}
 * @param type         type that {@link Settings#get} returns
 * @param grammar      syntax of the value
 * @param defaultValue text of the default, or null if a value must be given
 * @param unit         such as {@code bytes}, or empty
 * @param description  one sentence for the person who edits the file
 * @param secret       true if the value must never be shown
 */
public record Key<T>(String name, Class<T> type, Grammar<T> grammar, String defaultValue, String unit,
        String description, boolean secret) {

    public Key {
        Objects.requireNonNull(name);
        Objects.requireNonNull(unit);
        Objects.requireNonNull(description);
        if (defaultValue != null) {
            grammar.parse(defaultValue);
        }
    }

    /** A key with a default. */
    public static <T> Key<T> of(String name, Class<T> type, Grammar<T> grammar, String defaultValue, String unit,
            String description) {
        return new Key<>(name, type, grammar, Objects.requireNonNull(defaultValue), unit, description, false);
    }

    /** A key that the file must name. */
    public static <T> Key<T> required(String name, Class<T> type, Grammar<T> grammar, String unit,
            String description) {
        return new Key<>(name, type, grammar, null, unit, description, false);
    }

    /** A key whose value is never shown. */
    public static Key<String> secret(String name, String description) {
        return new Key<>(name, String.class, Grammar.text("text"), "", "", description, true);
    }

    T parse(String text) {
        try {
            return grammar.parse(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ConfigurationException(name + "=" + (secret ? "…" : text) + ": " + e.getMessage(), e);
        }
    }
}
