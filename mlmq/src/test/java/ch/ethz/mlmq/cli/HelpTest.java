package ch.ethz.mlmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
    private static final Pattern PATH = Pattern.compile("(?:config|docs)/[\\w./]*\\w");

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help", "broker --help", "broker -h", "scenario --help", "dbscript --help",
        "load --help", "shell --help", "status --help", "calibrate --help", "help broker"})
    void shouldBeShownToWhoeverAsksAndNameFilesThatThereAre(String line) {
        StringWriter out = new StringWriter();

        int exitCode = Main.commandLine().setUsageHelpWidth(1_000).setOut(new PrintWriter(out, true))
                .execute(line.split(" "));

        assertThat(exitCode).isZero();
        assertThat(out.toString()).startsWith("Usage: mlmq ").contains("--help");
        PATH.matcher(out.toString()).results().forEach(path ->
                assertThat(Path.of("..", path.group())).as(out.toString()).exists());
    }
}
