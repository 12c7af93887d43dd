package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AnalyzeTest {
    private static final String SEND = "CSndReq#OK#SendMessage";

    @TempDir
    private Path folder;

    private Path logs;

    @BeforeEach
    void writeTwoLogs() throws Exception {
        logs = folder.resolve("test_run_56");
        LogLines.inMicroseconds().add(1000, 1, SEND).add(3000, 500, SEND).add(2000, 999, SEND)
                .add(500, 1500, "CSndReq#TIMEOUT#SendMessage").add(7000, 2001, SEND)
                .writeTo(logs.resolve("m1/client_0/logs/performance_client_0.log"));
        LogLines.inMicroseconds().add(100, 1, "BDb#sendMessage").add(200, 800, "BQueue")
                .writeTo(logs.resolve("m2/broker_0/logs/performance_broker_0.log"));
    }

    @Test
    void shouldPrintTheColumnsOfTheDesignForTheStudysOwnCommandLine() {
        Invocation result = Invocation.of("-d", logs, "-type", "CSndReq#OK#", "-fmt", "csv", "-window", "1s");

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.lines()).containsExactly(
                "window,action,count,throughput,mean,stddev,median,p2.5,p97.5,min,max,"
                        + "mean_low,mean_high",
                "0,CSndReq#OK#SendMessage,3,3,2000,1000,2000,1000,3000,1000,3000,,",
                "2,CSndReq#OK#SendMessage,1,1000,7000,,7000,7000,7000,7000,7000,,",
                "steady,CSndReq#OK#SendMessage,4,1.999,3250,2629.956,2000,1000,7000,1000,7000,,");
    }

    @Test
    void shouldTakeSeveralPrefixesAndPercentiles() {
        Invocation result = Invocation.of("-d", logs, "-type", "BDb#", "BQueue", "-fmt", "csv", "-percentiles",
                "50,99");

        assertThat(result.lines().get(0)).contains(",median,p50,p99,min,");
        assertThat(result.out()).contains("BDb#sendMessage", "BQueue").doesNotContain("CSndReq");
    }

    @Test
    void shouldGroupByWhatIsAsked() {
        Invocation result = Invocation.of("-d", logs, "-fmt", "csv", "-window", "1h", "-group-by", "machine,status");

        assertThat(result.lines().get(0)).startsWith("window,machine,status,count");
        assertThat(result.lines()).anyMatch(line -> line.startsWith("0,m1,OK,4,"))
                .anyMatch(line -> line.startsWith("0,m1,TIMEOUT,1,")).anyMatch(line -> line.startsWith("0,m2,-,2,"));
    }

    @Test
    void shouldCutWarmupAndCooldownFromTheSteadyRowOnly() {
        Invocation result = Invocation.of("-d", logs, "-type", "CSndReq#OK#", "-fmt", "csv", "-window", "1h",
                "-warmup", "400ms", "-cooldown", "1s");

        assertThat(result.lines().get(1)).startsWith("0,CSndReq#OK#SendMessage,4,");
        assertThat(result.lines().get(2)).startsWith("steady,CSndReq#OK#SendMessage,2,");
    }

    @Test
    void shouldLeaveOutWhatLiesBeforeAndAfter() {
        Invocation result = Invocation.of("-d", logs, "-type", "CSndReq#OK#", "-fmt", "csv", "-from", "400ms", "-to",
                "1s");

        assertThat(result.lines().get(result.lines().size() - 1)).startsWith("steady,CSndReq#OK#SendMessage,2,");
    }

    @Test
    void shouldWriteScriptAndDataForTheChartAskedFor() throws Exception {
        Path plots = folder.resolve("plots");

        Invocation result = Invocation.of("-d", logs, "-type", "CSndReq#OK#", "-fmt", "gnuplot", "-kind",
                "response_time", "-window", "1s", "-out", plots);

        assertThat(result.exitCode()).isZero();
        assertThat(plots.resolve("throughput.gp")).doesNotExist();
        assertThat(Files.readString(plots.resolve("response_time.gp"))).contains("test_run_56")
                .doesNotContain(folder.toString());
        assertThat(Files.readAllLines(plots.resolve("response_time.csv"))).startsWith(
                "seconds,CSndReq#OK#SendMessage median,CSndReq#OK#SendMessage p2.5,CSndReq#OK#SendMessage p97.5",
                "0,2000,1000,3000", "1,NaN,NaN,NaN");
    }

    @Test
    void shouldMarkWhatHappenedInEveryChartOverTimeAndKeepTheNumbersApart() throws Exception {
        Path run = new SampleRun(1).seconds(20).clients(3).event(4, "command", "client_0", "rate 150 to client_0")
                .event(4, "command", "client_1", "rate 150 to client_1").event(5, "warning", "", "not worth a mark")
                .event(12, "died", "broker_0", "last words, 'quoted'").writeTo(folder.resolve("run"));
        Path plots = folder.resolve("plots");

        Invocation result = Invocation.of("-d", run, "-fmt", "gnuplot", "-out", plots);

        assertThat(result.err()).isEmpty();
        for (String chart : List.of("response_time", "throughput", "queues", "rates")) {
            String script = Files.readString(plots.resolve(chart + ".gp"));
            assertThat(script).as(chart).contains("'1  0:04  rate 150 to client_0'", "'2  0:04  rate 150 to client_1'",
                    "'3  0:12  broker_0 died'", "set arrow 3 from first ").doesNotContain("not worth a mark");
            List<Double> numbers = Pattern.compile("set label \\d '\\d' at graph ([0-9.]+)").matcher(script).results()
                    .map(match -> Double.parseDouble(match.group(1))).toList();
            assertThat(numbers).hasSize(3).isSorted();
            assertThat(numbers.get(1) - numbers.get(0)).isGreaterThan(0.025);
        }
        assertThat(Files.readString(plots.resolve("cdf.gp"))).doesNotContain("set arrow");
    }

    @Test
    void shouldTakeTheNameOfACommandForAKindOfChartAndForAFolder() throws Exception {
        Path check = Files.move(logs, folder.resolve("check"));
        Path plots = folder.resolve("plots");

        Invocation result = Invocation.of("-d", check, "-fmt", "gnuplot", "-kind", "breakdown", "-out", plots);

        assertThat(result.err()).isEmpty();
        assertThat(result.lines()).containsExactly(plots.resolve("breakdown.gp").toString());
    }

    @Test
    void shouldTakeALogThatIsOverInAMoment() throws Exception {
        Path log = Files.writeString(folder.resolve("performance.log"),
                "MLMQ performance log\n132;1383684920571;BTotReqResp;C[10]\n7;1383684920580;BTotReqResp;C[10]\n");

        assertThat(Invocation.of("-d", log, "-fmt", "json").out()).contains("\"window\":\"steady\"", "\"count\":2");
        assertThat(Invocation.of("-d", log).out()).contains("BTotReqResp", "MSER-5 finds no steady state");
        assertThat(Invocation.of("-d", log, "-group-by", "role").out()).as("requests cannot be told from the rest")
                .doesNotContain("MSER");
        assertThat(Invocation.of("check", "-d", log).err()).isEmpty();
        assertThat(Invocation.of("breakdown", "-d", log).exitCode()).isZero();
        assertThat(Invocation.of("compare", log, log, "-type", "BTotReqResp").exitCode()).isZero();
        assertThat(Invocation.of("-d", log, "-fmt", "gnuplot", "-out", folder.resolve("plots")).exitCode()).isZero();

        Path shorter = Files.writeString(folder.resolve("one.log"),
                "MLMQ performance log\n0;1383684920571;CSndReq#;C[10]\n");
        assertThat(Invocation.of("report", "-d", shorter, "-out", folder.resolve("report.html")).err()).isEmpty();
    }

    @Test
    void shouldSayWhereTheWarmupLeavesNothing() {
        String nothing = "The measurement interval has no requests: the records end after ";

        assertWrongUsage(Invocation.of("-d", logs, "-warmup", "1h"), nothing + "2.001 s.");
        Invocation windows = Invocation.of("-d", logs, "-warmup", "1h", "-fmt", "csv", "-window", "1s", "-type",
                "BQueue");

        assertThat(windows.err().strip()).isEqualTo(nothing + "2.001 s.");
        assertThat(windows.lines()).hasSize(2).last().asString().startsWith("0,BQueue,1,");
    }

    @Test
    void shouldFollowLinksToFoldersAndToLogs() throws Exception {
        Path linked = Files.createDirectory(folder.resolve("linked"));
        Path log = Files.move(logs.resolve("m2/broker_0/logs/performance_broker_0.log"), folder.resolve("kept"));
        Files.createSymbolicLink(linked.resolve("performance_broker_3.log"), log);
        Path all = Files.createSymbolicLink(folder.resolve("all"), linked);

        Invocation result = Invocation.of("-d", all, "-fmt", "csv", "-group-by", "jvm", "-window", "1h");

        assertThat(result.lines()).anyMatch(line -> line.startsWith("steady,broker_3,2,"));
        assertThat(Invocation.of("-d", all).lines().get(0)).isEqualTo("all");
    }

    @Test
    void shouldListTheCommandsInItsHelp() {
        assertThat(Invocation.of("--help").out())
                .contains("Usage: log_analyzer", "[COMMAND]", "Commands:", "  breakdown ");
    }

    @Test
    void shouldSayInOneLineWhatCannotBeRead() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertWrongUsage(Invocation.of("-d", folder.resolve("none")), "There is no folder or file");
        assertWrongUsage(Invocation.of("-d", empty), "There is no performance log with data in empty.");
        assertWrongUsage(Invocation.of("-d", logs, "-type", "Nothing#"), "No line matches -type Nothing#");
    }

    @Test
    void shouldAnswerWrongUsageWithOneLineAndTheUsage() {
        String usage = "Usage: log_analyzer";
        assertWrongUsage(Invocation.of(), "-d is missing: give a folder, zip or file to read.", usage);
        assertWrongUsage(Invocation.of("-d", logs, "-percentiles", "101"), "-percentiles must lie between", usage);
        assertWrongUsage(Invocation.of("-d", logs, "-window", "soon"), "'soon' is not a time", usage);
        assertWrongUsage(Invocation.of("-d", logs, "-fmt", "xls"), "Invalid value for option '-fmt'", usage);
        assertWrongUsage(Invocation.of("-d", logs, "-unknown"), "Unknown option: '-unknown'", usage);
        assertWrongUsage(Invocation.of("-d", logs, "-kind", "cdf"), "-kind needs -fmt gnuplot.", usage);
        assertWrongUsage(Invocation.of("-d", logs, "-confidence", "100"), "-confidence must lie between", usage);
        assertWrongUsage(Invocation.of("check", "-d", logs, "-type", "BDb#"), "Unknown options: '-type', 'BDb#'",
                usage);
        assertWrongUsage(Invocation.of("compare", logs, logs, "-confidence", "200"), "-confidence must lie between",
                usage);
        assertWrongUsage(Invocation.of("compare", logs, logs, "-over", "brokers"), "--over needs --plot.", usage);
    }

    @Test
    void shouldSayThatStandardOutputIsFull() {
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine("-d", logs.toString()).setErr(new PrintWriter(err, true));
        commandLine.setOut(new PrintWriter(new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {
                // nothing was taken
            }

            @Override
            public void close() {
                // nothing was opened
            }
        }));

        assertThat(commandLine.execute("-d", logs.toString())).isEqualTo(1);
        assertThat(err.toString().strip()).isEqualTo("Standard output could not be written completely.");
    }

    @Test
    void shouldChooseTheSameWindowsForAZipAsForItsFolder() throws Exception {
        LogLines lines = LogLines.inMicroseconds().add(100, 1_500, SEND).add(100, 25_000, SEND);
        Path zip = lines.zipTo(folder.resolve("run.zip"), "performance_client_0.log");
        Path log = lines.writeTo(folder.resolve("run/performance_client_0.log"));

        List<String> zipped = Invocation.of("-d", zip, "-fmt", "csv", "-warmup", "1s").lines();

        assertThat(zipped).anyMatch(line -> line.startsWith("23," + SEND + ",1,"));
        assertThat(zipped).isEqualTo(Invocation.of("-d", log, "-fmt", "csv", "-warmup", "1s").lines());
    }

    @Test
    void shouldSayThatALineLiesTooFarOff() throws Exception {
        Path log = LogLines.inMicroseconds().add(100, 1, SEND).add(100, 2_000_000_000L, SEND)
                .writeTo(folder.resolve("far/performance_client_0.log"));

        assertThat(Invocation.of("-d", log, "-fmt", "csv", "-window", "1s").err())
                .startsWith("1 record is left out, too far from the time of the others");
    }

    /** All formats must give the same interval under the same name. */
    @Test
    void shouldPrintOneIntervalOfTheMeanInAllFormats() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (int i = 0; i < 400; i++) {
            lines.add(1_000 + i * 37 % 500, 1 + i * 25, SEND);
        }
        Path log = lines.writeTo(folder.resolve("many/performance_client_0.log"));

        String csv = Invocation.of("-d", log, "-fmt", "csv", "-window", "1h").lines().get(2);
        String json = Invocation.of("-d", log, "-fmt", "json", "-window", "1h").out();
        String text = Invocation.of("-d", log).out();

        String[] cells = csv.split(",");
        assertThat(Double.parseDouble(cells[11])).isBetween(1_200.0, 1_245.0);
        assertThat(json).contains("\"mean_low\":" + cells[11] + ",\"mean_high\":" + cells[12] + "}");
        assertThat(text).contains(String.format(Locale.ROOT, "%,.0f      %,.0f", Double.parseDouble(cells[11]),
                Double.parseDouble(cells[12])));
    }

    @Test
    void shouldSayWhyThereIsNoIntervalOfTheMean() {
        assertThat(Invocation.of("-d", logs, "-type", "CSndReq#OK#").out())
                .contains("No interval for CSndReq#OK#SendMessage: too few observations.");
    }

    private static void assertWrongUsage(Invocation result, String message, String... further) {
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        List<String> lines = result.err().lines().toList();
        assertThat(lines.get(0)).contains(message);
        assertThat(lines.stream().skip(1).findFirst().orElse("")).startsWith(String.join("", further));
        assertThat(lines.size() > 1).as("more than the line").isEqualTo(further.length > 0);
    }
}
