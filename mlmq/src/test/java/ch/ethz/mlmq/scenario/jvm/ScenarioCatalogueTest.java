package ch.ethz.mlmq.scenario.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.link.Driver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that docs/reference/scenarios.md lists what runs on every system. */
class ScenarioCatalogueTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z][A-Za-z#]+)` \\|.*\\| every \\|$");

    private static final Set<FrameType> EVERYWHERE = Stream
            .concat(Driver.QUEUE_OPERATIONS.stream(), Driver.TOPIC_OPERATIONS.stream()).collect(Collectors.toSet());

    @Test
    void shouldHaveThePageSayTheSame() throws IOException {
        List<String> rows = ROW.matcher(Files.readString(Path.of("..", "docs", "reference", "scenarios.md"))).results()
                .map(row -> row.group(1)).toList();

        assertThat(rows).containsExactlyElementsOf(Scenarios.all().stream()
                .filter(ScenarioCatalogueTest::runsEverywhere).map(Scenario::name)
                .filter(name -> !name.startsWith("Only#")).toList());
        Set<String> only = Driver.QUEUE_OPERATIONS.stream().map(FrameType::label).collect(Collectors.toSet());
        assertThat(Scenarios.all().stream().filter(ScenarioCatalogueTest::runsEverywhere).map(Scenario::name)
                .filter(name -> name.startsWith("Only#"))).allMatch(name -> only.contains(name.replace("Only#", "")));
    }

    private static boolean runsEverywhere(Scenario scenario) {
        Settings settings = Settings.of(ClientJvm.keys(), Map.of("common.scenario.mytype", "client", "client.mix",
                "send:50,dequeue:50"));
        return !scenario.needs(Need.DATABASE_ONLY)
                && EVERYWHERE.containsAll(scenario.operations().apply(settings));
    }
}
