package ch.ethz.mlmq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.ethz.mlmq.broker.BrokerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Checks that the templates list all settings, and nothing else. */
class BrokerTemplateTest {
    private static final Path FOLDER = Path.of("..", "config", "mlmq");
    private static final Path TEMPLATE = FOLDER.resolve("broker.properties");
    private static final KeyRegistry REGISTRY = KeyRegistry.of(CommonKeys.ALL, BrokerKeys.ALL);

    @Test
    void shouldListEveryKeyInTheOrderOfTheRegistry() throws IOException {
        List<String> expected = new ArrayList<>();
        for (Key<?> key : REGISTRY.keys()) {
            expected.add("");
            expected.add("# " + key.description());
            expected.add("# " + key.grammar().range() + (key.unit().isEmpty() ? "" : " " + key.unit()));
            expected.add(key.name() + "=" + (key == CommonKeys.MY_TYPE ? "broker" : key.defaultValue()));
        }

        List<String> lines = Files.readAllLines(TEMPLATE);

        assertThat(lines.subList(lines.indexOf(""), lines.size())).containsExactlyElementsOf(expected);
    }

    @Test
    void shouldBeAConfigurationAsItStands() {
        assertThatCode(() -> BrokerSettings.of(Settings.load(REGISTRY, TEMPLATE))).doesNotThrowAnyException();
    }

    @Test
    void shouldNameOnlyHandlersAndFormattersOfThisProgramOrOfJava() throws Exception {
        Properties logging = new Properties();
        try (InputStream in = Files.newInputStream(FOLDER.resolve("logging.properties"))) {
            logging.load(in);
        }

        for (String name : List.of("handlers", "java.util.logging.ConsoleHandler.formatter")) {
            assertThat(Class.forName(logging.getProperty(name))).as(name).isNotNull();
        }
    }
}
