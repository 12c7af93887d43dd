package ch.ethz.mlmq.protocol;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Named values that travel with a message, and that filters of subscriptions read: each a {@link String}, a
 * {@link Long}, a {@link Double} or a {@link Boolean}. Immutable.
 *
 * <p>A name has 1..{@value Limits#MAX_NAME_CHARS} letters, digits and underscores, does not begin with a digit, and is
 * no word of the filters' language, in capital or small letters. {@link #DELAY} and {@link #TIME_TO_LIVE} are for the
 * broker: they do not reach the receiver.
 */
public final class MessageProperties {
    /** Name of the time for which nobody can take the message [ms]. */
    public static final String DELAY = "$delay";
    /** Name of the time after which the broker removes the message, from when it can be taken [ms]. */
    public static final String TIME_TO_LIVE = "$ttl";
    /** Longest delay and time to live [ms]: a year. */
    public static final long MAX_MILLIS = 365L * 24 * 3_600_000;
    /** Most properties of a message. */
    public static final int MAX_COUNT = 64;
    /** Most bytes of all properties of a message, encoded. */
    public static final int MAX_BYTES = 4_096;
    /** A message without properties has these. */
    public static final MessageProperties NONE = new MessageProperties(new byte[0], Map.of());
    /** Words of the filters' language, which name no property. */
    public static final Set<String> WORDS = Set.of("AND", "BETWEEN", "ESCAPE", "FALSE", "IN", "IS", "LIKE", "NOT",
            "NULL", "OR", "TRUE");

    private static final byte STRING = 0;
    private static final byte INTEGER = 1;
    private static final byte REAL = 2;
    private static final byte TRUTH = 3;

    private final byte[] encoded;
    private Map<String, Object> values;

    private MessageProperties(byte[] encoded, Map<String, Object> values) {
        this.encoded = encoded;
        this.values = values;
    }

    /**
     * Reads properties as they are sent and stored.
     *
     * @param encoded not copied
     * @throws IllegalArgumentException if the bytes are no properties, or name one twice; the message says why
     */
    public static MessageProperties decode(byte[] encoded) {
        return encoded.length == 0 ? NONE : new MessageProperties(encoded, values(encoded));
    }

    /** Takes the bytes of properties that were read before, and reads them again when they are needed. */
    public static MessageProperties ofStored(byte[] encoded) {
        return encoded == null || encoded.length == 0 ? NONE : new MessageProperties(encoded, null);
    }

    /** @return these properties and another one, in place of one with the same name */
    public MessageProperties with(String name, String value) {
        return and(name, value);
    }

    /** @return these properties and another one, in place of one with the same name */
    public MessageProperties with(String name, long value) {
        return and(name, value);
    }

    /** @return these properties and another one, in place of one with the same name */
    public MessageProperties with(String name, double value) {
        return and(name, value);
    }

    /** @return these properties and another one, in place of one with the same name */
    public MessageProperties with(String name, boolean value) {
        return and(name, value);
    }

    /** @return the value of that name: a String, a Long, a Double or a Boolean; null if there is none */
    public Object get(String name) {
        return asMap().get(name);
    }

    public boolean isEmpty() {
        return encoded.length == 0;
    }

    /** @return the values by their names, in the order in which they were set */
    public Map<String, Object> asMap() {
        Map<String, Object> known = values;
        if (known == null) {
            known = values(encoded);
            values = known;
        }
        return known;
    }

    /** @return the bytes that are sent and stored; do not change them */
    public byte[] encoded() {
        return encoded;
    }

    /** @return the bytes that are stored; null if there are none */
    public byte[] stored() {
        MessageProperties kept = withoutTimes();
        return kept.isEmpty() ? null : kept.encoded;
    }

    /** @return the delay [ms]; 0 for none */
    public long delayMillis() {
        return millis(DELAY);
    }

    /** @return the time to live [ms]; 0 for no end */
    public long timeToLiveMillis() {
        return millis(TIME_TO_LIVE);
    }

    /** @return true if they have a delay or a time to live */
    public boolean hasTimes() {
        return !isEmpty() && (asMap().containsKey(DELAY) || asMap().containsKey(TIME_TO_LIVE));
    }

    /** @return those of them that reach the receiver */
    public MessageProperties withoutTimes() {
        if (!hasTimes()) {
            return this;
        }
        Map<String, Object> kept = new LinkedHashMap<>(asMap());
        kept.keySet().removeAll(Set.of(DELAY, TIME_TO_LIVE));
        return kept.isEmpty() ? NONE : new MessageProperties(encode(kept), Collections.unmodifiableMap(kept));
    }

    private long millis(String name) {
        return isEmpty() ? 0 : (Long) asMap().getOrDefault(name, 0L);
    }

    /** @return the limit that they exceed, for people; null if none */
    public String violation() {
        if (encoded.length > MAX_BYTES) {
            return "the properties of a message have at most " + MAX_BYTES + " bytes, not " + encoded.length;
        }
        if (asMap().size() > MAX_COUNT) {
            return "a message has at most " + MAX_COUNT + " properties, not " + asMap().size();
        }
        if (!isTime(DELAY) || !isTime(TIME_TO_LIVE)) {
            return "a delay and a time to live are 1.." + MAX_MILLIS + " ms";
        }
        return withoutTimes().asMap().keySet().stream().filter(name -> !isName(name)).findFirst()
                .map(name -> "the name of a property has 1.." + Limits.MAX_NAME_CHARS + " letters, digits and _, does "
                        + "not begin with a digit, and is no word of filters such as NOT").orElse(null);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageProperties properties && asMap().equals(properties.asMap());
    }

    @Override
    public int hashCode() {
        return asMap().hashCode();
    }

    @Override
    public String toString() {
        return asMap().toString();
    }

    private MessageProperties and(String name, Object value) {
        Map<String, Object> all = new LinkedHashMap<>(asMap());
        all.put(name, value);
        MessageProperties longer = new MessageProperties(encode(all), Collections.unmodifiableMap(all));
        String violation = longer.violation();
        if (violation != null) {
            throw new IllegalArgumentException(violation);
        }
        return longer;
    }

    private boolean isTime(String name) {
        return !asMap().containsKey(name)
                || asMap().get(name) instanceof Long millis && millis >= 1 && millis <= MAX_MILLIS;
    }

    private static boolean isName(String name) {
        boolean valid = !name.isEmpty() && name.length() <= Limits.MAX_NAME_CHARS && !isDigit(name.charAt(0))
                && !WORDS.contains(name.toUpperCase(Locale.ROOT));
        for (int i = 0; valid && i < name.length(); i++) {
            char c = name.charAt(i);
            valid = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_';
        }
        return valid;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static byte[] encode(Map<String, Object> values) {
        int bytes = values.entrySet().stream()
                .mapToInt(one -> text(one.getKey()).length + Integer.BYTES + 1 + valueBytes(one.getValue())).sum();
        ByteBuffer out = ByteBuffer.allocate(bytes);
        values.forEach((name, value) -> {
            put(out, name);
            if (value instanceof String string) {
                put(out.put(STRING), string);
            } else if (value instanceof Long integer) {
                out.put(INTEGER).putLong(integer);
            } else if (value instanceof Double real) {
                out.put(REAL).putDouble(real);
            } else {
                out.put(TRUTH).put((byte) ((Boolean) value ? 1 : 0));
            }
        });
        return out.array();
    }

    private static int valueBytes(Object value) {
        if (value instanceof String string) {
            return Integer.BYTES + text(string).length;
        }
        return value instanceof Boolean ? 1 : Long.BYTES;
    }

    private static void put(ByteBuffer out, String string) {
        byte[] bytes = text(string);
        out.putInt(bytes.length).put(bytes);
    }

    private static byte[] text(String string) {
        return string.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> values(byte[] encoded) {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        Map<String, Object> values = new LinkedHashMap<>();
        try {
            while (in.hasRemaining()) {
                if (values.put(string(in), value(in)) != null) {
                    throw new IllegalArgumentException("a property is named twice");
                }
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("the properties end within one of them", e);
        }
        return Collections.unmodifiableMap(values);
    }

    private static Object value(ByteBuffer in) {
        byte kind = in.get();
        return switch (kind) {
            case STRING -> string(in);
            case INTEGER -> in.getLong();
            case REAL -> in.getDouble();
            case TRUTH -> truth(in.get());
            default -> throw new IllegalArgumentException("a property is a string (0), an integer (1), a real (2) or a "
                    + "boolean (3), not " + kind);
        };
    }

    private static boolean truth(byte value) {
        if (value != 0 && value != 1) {
            throw new IllegalArgumentException("a boolean is 0 or 1, not " + value);
        }
        return value == 1;
    }

    private static String string(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer bytes = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a string in the properties is not UTF-8", e);
        }
    }
}
