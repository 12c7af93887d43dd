package ch.ethz.mlmq.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
    @Test
    void shouldWriteMembersInOrderAndEscapeText() {
        JsonObject json = new JsonObject().put("a", 1).put("b", "say \"hi\" \\ \n").put("c", null).put("d", 0.5)
                .put("e", new JsonObject().put("f", true)).put("g", Map.of("TIMEOUT", 3L)).put("h", Double.NaN);

        assertThat(json).hasToString("{\"a\":1,\"b\":\"say \\\"hi\\\" \\\\ \\n\",\"c\":null,\"d\":0.500,"
                + "\"e\":{\"f\":true},\"g\":{\"TIMEOUT\":3},\"h\":null}");
    }
}
