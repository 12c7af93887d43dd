package ch.ethz.mlmq.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One JSON object, with its members in the order of {@link #put}. */
public final class JsonObject {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int DECIMALS = 3;

    private final Map<String, Object> members = new LinkedHashMap<>();

    /**
     * @param value text, number, boolean, null, list, map or another {@code JsonObject}; a double gets three decimals
     */
    public JsonObject put(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** @return one line */
    @Override
    public String toString() {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            write(members, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(Map<?, ?> members, JsonGenerator out) throws IOException {
        out.writeStartObject();
        for (Map.Entry<?, ?> member : members.entrySet()) {
            out.writeFieldName(String.valueOf(member.getKey()));
            write(member.getValue(), out);
        }
        out.writeEndObject();
    }

    private static void write(Object value, JsonGenerator out) throws IOException {
        if (value instanceof JsonObject object) {
            write(object.members, out);
        } else if (value instanceof Map<?, ?> map) {
            write(map, out);
        } else if (value instanceof List<?> list) {
            out.writeStartArray();
            for (Object each : list) {
                write(each, out);
            }
            out.writeEndArray();
        } else if (value instanceof Double number) {
            out.writeNumber(decimal(number));
        } else if (value instanceof Long || value instanceof Integer) {
            out.writeNumber(((Number) value).longValue());
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value == null) {
            out.writeNull();
        } else {
            out.writeString(value.toString());
        }
    }

    /** @return null, which is written as {@code null}, for NaN and infinities */
    private static BigDecimal decimal(double number) {
        return Double.isFinite(number) ? BigDecimal.valueOf(number).setScale(DECIMALS, RoundingMode.HALF_UP) : null;
    }
}
