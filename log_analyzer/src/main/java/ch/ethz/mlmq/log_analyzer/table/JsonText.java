package ch.ethz.mlmq.log_analyzer.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes maps, lists, texts, numbers and booleans as JSON. Members of objects that are null or no number are left out.
 */
public final class JsonText {
    private JsonText() {
    }

    /** @return an object of names, each with its value behind it */
    public static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        return object;
    }

    public static String of(Map<String, ?> object) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            write(json, object);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Map<?, ?> object) {
            json.writeStartObject();
            for (Map.Entry<?, ?> member : object.entrySet()) {
                if (isThere(member.getValue())) {
                    json.writeFieldName(member.getKey().toString());
                    write(json, member.getValue());
                }
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object each : list) {
                write(json, each);
            }
            json.writeEndArray();
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Double number) {
            if (isThere(number)) {
                json.writeNumber(Table.text(Figures.significant(number)));
            } else {
                json.writeNull();
            }
        } else if (value instanceof Number number) {
            json.writeNumber(number.toString());
        } else if (value == null) {
            json.writeNull();
        } else {
            json.writeString(value.toString());
        }
    }

    private static boolean isThere(Object value) {
        return value != null && !(value instanceof Double number && !Double.isFinite(number));
    }
}
