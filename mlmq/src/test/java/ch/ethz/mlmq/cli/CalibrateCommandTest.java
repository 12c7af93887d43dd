package ch.ethz.mlmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CalibrateCommandTest {
    private final InputStream standardInput = System.in;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @AfterEach
    void giveBack() {
        System.setIn(standardInput);
    }

    @Test
    void shouldPrintTheTimesOfFlushes() {
        assertThat(run("--flush", folder.toString())).as(err.toString()).isZero();

        assertThat(out.toString()).matches(
                "\\{\"flush\":\\{\"median_us\":[\\d.]+,\"p99_us\":[\\d.]+,\"count\":\\d+}}\\R");
    }

    @Test
    void shouldSayThatNoClientCame() {
        System.setIn(new ByteArrayInputStream("a token of some length\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(run("--serve", "127.0.0.1:0", "--seconds", "1")).isEqualTo(1);

        assertThat(out.toString()).matches("\\{\"port\":\\d+}\\R\\{\"served\":0}\\R");
    }

    @ParameterizedTest
    @CsvSource({
        "'', Missing required argument",
        "--flush /nowhere, --flush: /nowhere is no folder",
        "--flush /tmp --serve localhost:0, mutually exclusive",
        "--network localhost, a broker's address is host:port",
        "--network localhost:0, 'a port is 1..65535, not 0'",
        "--serve localhost:99999, 'a port is 1..65535, not 99999'",
        "--serve no.such.host.invalid:0, --serve: there is no host no.such.host.invalid",
        "--serve localhost:0 --clients 0, --clients must be 1 at least",
        "--serve localhost:0 --seconds 601, --seconds must be from 1 to 600",
        "--serve localhost:0, standard input must have a token of 16 characters at least"})
    void shouldRefuseBadInput(String line, String complaint) {
        System.setIn(new ByteArrayInputStream("short\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);

        assertThat(err.toString()).contains(complaint);
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "calibrate";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        CommandLine main = Main.commandLine();
        main.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return main.execute(all);
    }
}
