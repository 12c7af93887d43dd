package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that were damaged, or made to do harm, cost a finding, not the analysis. */
class HostileInputTest {
    @TempDir
    private Path folder;

    @Test
    void shouldLeaveOutALineWithANumberThatIsNone() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        Path gauges = run.resolve("logs/m2/broker_0/gauges_broker_0.csv");
        String sound = Invocation.of("check", "-d", run, "-fmt", "csv").out();

        Files.writeString(gauges, Files.readString(gauges)
                .replaceFirst("\n9000,.*\n", "$09000,NaN,NaN,1,0,0,1,1\n"));

        assertThat(withoutQueue(Invocation.of("check", "-d", run, "-fmt", "csv").out())).isEqualTo(withoutQueue(sound));
        Path table = Files.writeString(folder.resolve("queue.csv"), "queue\n1\nNaN\n3\n");
        assertThat(Invocation.of("steady", "-d", table).err()).contains("line 3: queue is no number");
    }

    @Test
    void shouldNotTakeAServiceTimeThatWasCutOff() throws Exception {
        Path log = folder.resolve("performance_client_0.log");
        Files.writeString(log, LogLines.HEADER + "\n5000;" + LogLines.START + ";CSndReq#OK#send;C[1] S[4800]\n5000;"
                + LogLines.START + ";CSndReq#OK#send;C[1] S[48");

        assertThat(Invocation.of("-d", log, "-fmt", "csv", "-type", "CSndReq").lines())
                .anyMatch(line -> line.startsWith("steady,CSndReq#OK#send:service,1,"))
                .anyMatch(line -> line.startsWith("steady,CSndReq#OK#send,2,"));
    }

    @Test
    void shouldWriteFiguresAsProgramsReadThemWhateverTheLanguage() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        String[] plot = {"-d", run.toString(), "-fmt", "gnuplot", "-kind", "response_time", "-out", folder.toString()};
        Invocation.of((Object[]) plot);
        String script = Files.readString(folder.resolve("response_time.gp"));
        Locale before = Locale.getDefault();
        for (String language : new String[] {"fa", "de", "tr"}) {
            try {
                Locale.setDefault(new Locale.Builder().setLanguage(language).build());
                assertThat(Invocation.of((Object[]) plot).exitCode()).isZero();
            } finally {
                Locale.setDefault(before);
            }
            assertThat(Files.readString(folder.resolve("response_time.gp"))).as(language).isEqualTo(script);
        }
    }

    /** One value less is in the trend of the queue. */
    private static List<String> withoutQueue(String checks) {
        return checks.lines().filter(line -> !line.contains(",Queue steady,")).toList();
    }
}
