package ch.ethz.mlmq.log_analyzer.plot.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log_analyzer.Invocation;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PlotsTest {
    @Test
    void shouldBeThoseOfTheCheckout() throws Exception {
        assertThat(Files.readString(Path.of("..", "config", "log_analyzer", "plots.json")))
                .as("java -jar log_analyzer/target/log_analyzer.jar describe > config/log_analyzer/plots.json")
                .isEqualTo(Invocation.of("describe").out());
    }

    @Test
    void shouldEachHaveANameOfItsOwnAndANeed() {
        assertThat(Plots.all()).extracting(Plot::name).doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z]+(_[a-z]+)*"));
        assertThat(Plots.all()).noneMatch(plot -> plot.needs().isEmpty());
        assertThat(Plots.all()).allMatch(plot -> Plots.named(plot.name()).orElseThrow() == plot);
    }
}
