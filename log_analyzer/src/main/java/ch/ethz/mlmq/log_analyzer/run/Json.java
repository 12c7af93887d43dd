package ch.ethz.mlmq.log_analyzer.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A JSON value that may be missing; a member of a missing value is missing as well.
 *
 * @param value a {@link Map}, {@link List}, {@link String}, {@link Double}, {@link Boolean}, or null if missing
 */
public record Json(Object value) {
    public static final Json MISSING = new Json(null);

    public static Json read(InputStream in) throws IOException {
        return read(in, new Room());
    }

    /** @param room shared by several files */
    static Json read(InputStream in, Room room) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(in)) {
            parser.nextToken();
            return new Json(value(parser, room, 0));
        }
    }

    /** Limit of the values in memory, because files of machines may be of any size. */
    static final class Room {
        private static final int MOST_VALUES = 500_000;
        private static final int DEEPEST = 100;
        private static final int CHARACTERS_OF_A_VALUE = 32;
        private int left = MOST_VALUES;

        private void take(int depth, String text) throws IOException {
            left -= 1 + text.length() / CHARACTERS_OF_A_VALUE;
            if (left < 0 || depth > DEEPEST) {
                throw new IOException(left < 0 ? "it has more values than are read"
                        : "its values are nested deeper than " + DEEPEST + " levels");
            }
        }
    }

    /** @return the value under this path of names */
    public Json at(String... path) {
        Object found = value;
        for (String name : path) {
            found = found instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return new Json(found);
    }

    public boolean isMissing() {
        return value == null;
    }

    public Optional<String> text() {
        return value instanceof Map || value instanceof List ? Optional.empty()
                : Optional.ofNullable(value).map(Json::plain);
    }

    public OptionalDouble number() {
        return value instanceof Double number ? OptionalDouble.of(number) : OptionalDouble.empty();
    }

    public double numberOr(double otherwise) {
        return number().orElse(otherwise);
    }

    /** @return the elements of a list */
    public List<Json> elements() {
        return value instanceof List<?> list ? list.stream().map(Json::new).toList() : List.of();
    }

    /** @return the members of an object, in their order */
    public Map<String, Json> members() {
        Map<String, Json> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> members.put(name.toString(), new Json(member)));
        }
        return members;
    }

    /** @return all plain values with their paths, such as {@code brokers.0.settings.workers}, sorted */
    public Map<String, String> leaves() {
        Map<String, String> leaves = new TreeMap<>();
        collect("", value, leaves);
        return leaves;
    }

    private static void collect(String path, Object value, Map<String, String> leaves) {
        String prefix = path.isEmpty() ? "" : path + ".";
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> collect(prefix + name, member, leaves));
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                collect(prefix + i, list.get(i), leaves);
            }
        } else if (value != null) {
            leaves.put(path, plain(value));
        }
    }

    private static String plain(Object value) {
        return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString(number.longValue()) : value.toString();
    }

    private static Object value(JsonParser parser, Room room, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        room.take(depth, token != null && token.isScalarValue() ? parser.getText() : "");
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> map = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                room.take(depth, name);
                parser.nextToken();
                map.put(name, value(parser, room, depth + 1));
            }
            return map;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                list.add(value(parser, room, depth + 1));
            }
            return list;
        }
        if (token == null || token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (token.isNumeric()) {
            return parser.getDoubleValue();
        }
        return token.isBoolean() ? (Object) parser.getBooleanValue() : parser.getText();
    }
}
