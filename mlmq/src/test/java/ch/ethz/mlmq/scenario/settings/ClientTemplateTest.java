package ch.ethz.mlmq.scenario.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.link.Drivers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The template that people copy says all there is to set, and nothing else. */
class ClientTemplateTest {
    private static final Path TEMPLATE = Path.of("..", "config", "mlmq", "client.properties");

    @Test
    void shouldHaveEveryKeyWithItsDefaultInTheOrderOfTheRegistry() throws IOException {
        List<String> expected = new ArrayList<>();
        CommonKeys.ALL.forEach(key -> expected.add(line(key)));
        ClientKeys.ALL.forEach(key -> expected.add(line(key)));
        TopicKeys.ALL.forEach(key -> expected.add(line(key)));
        Drivers.keys().forEach(key -> expected.add(line(key)));

        assertThat(lines().stream().filter(line -> !line.isEmpty() && !line.startsWith("#")).toList())
                .containsExactlyElementsOf(expected);
    }

    @Test
    void shouldExplainEachKeyInTheWordsOfTheRegistry() throws IOException {
        List<String> lines = lines();
        for (Key<?> key : Stream.of(ClientKeys.ALL, TopicKeys.ALL, Drivers.keys()).flatMap(List::stream).toList()) {
            int end = lines.indexOf(line(key));
            int start = lines.subList(0, end).lastIndexOf("") + 1;
            String comment = String.join(" ", lines.subList(start, end)).replace("# ", "");

            assertThat(comment).isEqualTo(key.description() + " " + key.grammar().range()
                    + (key.unit().isEmpty() ? "" : " " + key.unit()));
        }
    }

    @Test
    void shouldBeAConfigurationAsItStands() {
        assertThatCode(() -> new ClientJvm(Settings.load(ClientJvm.keys(), TEMPLATE))).doesNotThrowAnyException();
    }

    private static String line(Key<?> key) {
        return key.name() + "=" + (key == CommonKeys.MY_TYPE ? "client" : key.defaultValue());
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(TEMPLATE);
    }
}
