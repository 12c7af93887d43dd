package ch.ethz.mlmq.log_analyzer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Tests the same cases as the Testmaster's form, those of {@code vocabulary/designs.yml}. */
class ConfoundingTest {
    @Test
    @SuppressWarnings("unchecked")
    void shouldSayOfEachCaseWhatTheTestmasterSays() throws IOException {
        for (Map<String, Object> row : cases()) {
            List<String> factors = IntStream.range(0, (Integer) row.get("factors"))
                    .mapToObj(i -> String.valueOf((char) ('a' + i))).toList();
            List<String> generators = (List<String>) row.get("generators");
            if (row.get("error") instanceof String error) {
                assertThatThrownBy(() -> Confounding.of(factors, generators)).isInstanceOf(DataException.class)
                        .hasMessageContaining(error);
                continue;
            }
            Confounding confounding = Confounding.of(factors, generators);
            for (List<String> together : (List<List<String>>) row.get("confounded")) {
                int first = together.get(0).chars().map(letter -> 1 << letter - 'a').sum();
                assertThat(confounding.together(first).stream().map(confounding::name)).as("%s", generators)
                        .containsExactlyInAnyOrderElementsOf(together);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> cases() throws IOException {
        try (InputStream in = Confounding.class.getResourceAsStream("/vocabulary/designs.yml")) {
            Map<String, Object> file = new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
            return (List<Map<String, Object>>) file.get("cases");
        }
    }
}
