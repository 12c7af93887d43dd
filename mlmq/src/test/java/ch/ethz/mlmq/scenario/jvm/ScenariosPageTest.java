package ch.ethz.mlmq.scenario.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.scenario.Mover;
import ch.ethz.mlmq.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that docs/reference/scenarios.md lists all scenarios. */
class ScenariosPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "scenarios.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z][A-Za-z#]+)` \\|");
    private static final Pattern KEY = Pattern.compile("`(client\\.[a-z.]+[a-z])\\b");

    @Test
    void shouldHaveARowForEveryScenario() throws IOException {
        List<String> rows = ROW.matcher(Files.readString(PAGE)).results().map(row -> row.group(1)).toList();
        List<String> scenarios = Scenarios.all().stream().map(Scenario::name)
                .filter(name -> !name.startsWith("Only#") || name.equals("Only#sendMessage")).toList();

        assertThat(rows).containsExactlyElementsOf(scenarios);
        for (Scenario scenario : Scenarios.all()) {
            assertThat(Files.readString(PAGE)).contains("`" + scenario.name().replace("Only#", "") + "`");
        }
    }

    @Test
    void shouldNameNoSettingThatIsNotThere() throws IOException {
        Set<String> known = ClientJvm.keys().keys().stream().map(Key::name).collect(Collectors.toSet());
        Set<String> named = new TreeSet<>();
        KEY.matcher(Files.readString(PAGE)).results().forEach(key -> named.add(key.group(1)));
        named.remove("client.properties");

        assertThat(known).containsAll(named);
        assertThat(named).hasSizeGreaterThan(15);
    }

    @Test
    void shouldNameTheExampleThatTheTestsRun() throws IOException {
        String source = "src/test/java/ch/ethz/mlmq/scenario/Mover.java";

        assertThat(Path.of(source)).exists();
        assertThat(Files.readString(PAGE)).contains("(../../mlmq/" + source + ")");
    }
}
