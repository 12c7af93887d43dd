package ch.ethz.mlmq.scenario.recording;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes one JSON object, its members in the order in which they were put. */
public final class Json {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /** @param value text, number, boolean, null, map or another object of JSON */
    public Json put(String name, Object value) {
        members.put(name, value);
        return this;
    }

    @Override
    public String toString() {
        return object(members);
    }

    private static String object(Map<?, ?> members) {
        StringBuilder text = new StringBuilder("{");
        members.forEach((name, value) -> text.append(text.length() == 1 ? "" : ",")
                .append(quoted(String.valueOf(name))).append(':').append(value(value)));
        return text.append('}').toString();
    }

    private static String value(Object value) {
        if (value instanceof Map<?, ?> map) {
            return object(map);
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? String.format(Locale.ROOT, "%.3f", number) : "null";
        }
        if (value == null || value instanceof Number || value instanceof Boolean || value instanceof Json) {
            return String.valueOf(value);
        }
        return quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
