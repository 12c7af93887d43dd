package ch.ethz.mlmq.log_analyzer.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log_analyzer.Invocation;
import ch.ethz.mlmq.log_analyzer.SampleRun;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads damaged folders of a run with every kind of file and every command. Each command must end with an exit code and
 * without a stack trace. {@code bench/fuzz --folders N --seed S} reads more of them, in 512 MB.
 */
class FolderFuzzTest {
    private static final int FOLDERS = Integer.getInteger("fuzz.folders", 100);
    private static final long SEED = Long.getLong("fuzz.seed", 20_131_105L);
    /** File for regular reports of the progress; empty for none. */
    private static final String BOOKS = System.getProperty("fuzz.books", "");
    private static final int LINES = 150;
    private static final long LONGEST_SECONDS = 120;

    @TempDir
    private Path folder;

    private final ExecutorService commands = Executors.newCachedThreadPool();
    private final SortedMap<String, byte[]> sound = new TreeMap<>();
    private final Map<String, String> faults = new TreeMap<>();
    private Path other;
    private long invocations;
    private long slowestMs;

    @BeforeEach
    void writeSoundRuns() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(2).errors(0.05)
                .event(8, "command", "", "rate 200/s to all: 2 of 2")
                .event(13, "command", "client_0", "rate 400 to client_0: 1 of 1").event(9, "died", "broker_0", "gone")
                .writeTo(folder.resolve("sound"));
        other = new SampleRun(2).seconds(12).clients(2).writeTo(folder.resolve("other"));
        for (Map.Entry<String, byte[]> each : fewLinesOf(other).entrySet()) {
            Files.write(other.resolve(each.getKey()), each.getValue());
        }
        sound.putAll(fewLinesOf(run));
        sound.put("experiment.json", ("{\"id\":1,\"name\":\"e\",\"design\":\"grid\",\"response\":\"p99\","
                + "\"factors\":[{\"name\":\"workers\",\"path\":\"brokers.0.settings.workers\",\"levels\":[4,8],"
                + "\"unit\":\"threads\"}],\"point\":1,\"repetition\":1,\"levels\":{\"workers\":8}}")
                        .getBytes(StandardCharsets.UTF_8));
        sound.put("logs/m1/client_0/config.properties", "client.think.time=5ms\nclient.rate=100/s\n"
                .getBytes(StandardCharsets.UTF_8));
        sound.put("logs/m2/broker_0/profile.jfr", recording());
    }

    @AfterEach
    void stop() {
        commands.shutdownNow();
    }

    @Test
    void shouldEndWhateverLiesInTheFolder() throws Exception {
        for (int i = 0; i < FOLDERS; i++) {
            readDamaged(SEED + i);
            if (i % 1000 == 999) {
                book("seed %d folders %d invocations %d faults %d slowest %d ms%n".formatted(SEED, i + 1, invocations,
                        faults.size(), slowestMs));
            }
        }
        System.out.printf("seed %d folders %d invocations %d faults %d slowest %d ms%n", SEED, FOLDERS, invocations,
                faults.size(), slowestMs);
        assertThat(faults).isEmpty();
    }

    /** A summary from the far future, and logs without the times that a model needs. */
    @ParameterizedTest
    @ValueSource(longs = {6_653, 57_078})
    void shouldReadAFolderThatABenchFoundFaultsIn(long seed) throws Exception {
        readDamaged(seed);

        assertThat(faults).isEmpty();
    }

    private void readDamaged(long seed) throws IOException {
        Random random = new Random(seed);
        SortedMap<String, byte[]> files = new TreeMap<>(sound);
        String done = new Mutation(random, files).damage();
        Path run = write(files, random.nextInt(4) == 0);
        try {
            for (int i = 0; i < 2; i++) {
                List<String> arguments = arguments(random, run);
                String fault = faultOf(arguments);
                if (!fault.isEmpty()) {
                    String where = fault.lines().filter(line -> line.contains("mlmq")).findFirst().orElse("");
                    String report = "seed " + seed + ": " + String.join(" ", arguments) + "\n  " + done + "\n" + fault;
                    if (faults.putIfAbsent(fault.lines().findFirst().orElse("") + where.strip(), report) == null) {
                        book(report + "\n");
                    }
                }
            }
        } finally {
            delete(run);
            delete(folder.resolve("out"));
        }
    }

    /** @return what is wrong with how a command ended, with a stack trace; empty if nothing is */
    private String faultOf(List<String> arguments) {
        long beginMs = System.nanoTime() / 1_000_000;
        Thread[] thread = new Thread[1];
        Future<Invocation> ended = commands.submit(() -> {
            thread[0] = Thread.currentThread();
            return Invocation.of(arguments.toArray());
        });
        try {
            Invocation command = ended.get(LONGEST_SECONDS, TimeUnit.SECONDS);
            invocations++;
            slowestMs = Math.max(slowestMs, System.nanoTime() / 1_000_000 - beginMs);
            if (command.err().contains("\tat ")) {
                return command.err();
            }
            boolean plain = Stream.of("NaN", "Infinity", "null").noneMatch(word ->
                    command.out().lines().anyMatch(line -> line.matches("(.*[,:])?-?" + word + "([,}].*)?")));
            return command.exitCode() >= 0 && command.exitCode() <= 3 ? plain ? "" : "no number: " + command.out()
                    : "exit code " + command.exitCode();
        } catch (ExecutionException e) {
            StringWriter text = new StringWriter();
            e.getCause().printStackTrace(new PrintWriter(text));
            return text.toString();
        } catch (TimeoutException e) {
            ended.cancel(true);
            return "not done after " + LONGEST_SECONDS + " s\n" + Stream.of(thread[0].getStackTrace())
                    .map(frame -> "\tat " + frame).reduce("", (all, line) -> all + line + "\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private List<String> arguments(Random random, Path run) {
        String out = folder.resolve("out").toString();
        String of = run.toString();
        String window = List.of("1s", "1ms", "1h", "250ms").get(random.nextInt(4));
        List<String> arguments = new ArrayList<>(switch (random.nextInt(20)) {
            case 0 -> List.of("-d", of, "-fmt", "csv", "-window", window);
            case 1 -> List.of("-d", of, "-fmt", "json", "-group-by", "jvm,status,tier,machine", "-warmup", "2s");
            case 2 -> List.of("-d", of, "-type", "CSndReq#OK#");
            case 3, 4 -> List.of("-d", of, "-fmt", "gnuplot", "-out", out);
            case 5, 6 -> List.of("-d", of, "-fmt", "hgrm");
            case 7, 8 -> List.of("check", "-d", of, "-fmt", "csv");
            case 9 -> List.of("compare", of, other.toString(), "-fmt", "json");
            case 10 -> List.of("compare", other.toString(), of, "-fmt", "csv", "-plot", out);
            case 11 -> List.of("breakdown", "-d", of, "-fmt", "json");
            case 12 -> List.of("experiment", "-d", of, "-fmt", "json");
            case 13, 14 -> List.of("experiment", "-d", of, "-steps", "-fmt", "json");
            case 15 -> List.of("factorial", of, other.toString(), "-metric", "p99", "-fmt", "csv");
            case 16 -> List.of("profile", "-d", of, "-fmt", "csv");
            case 17 -> List.of("model", "closed", "-d", of, "-clients", "2,8", "-fmt", "json");
            case 18 -> List.of("steady", "-d", table(random, run), "-fmt", "csv");
            default -> List.of("experiment", "--table", table(random, run), "--design", table(random, run));
        });
        if (random.nextInt(8) == 0 && arguments.contains("-d") && arguments.get(0).equals("-d")) {
            arguments.addAll(List.of("-from", "1s", "-to", "9s"));
        }
        return arguments;
    }

    /** Names any file as if it were a table. */
    private static String table(Random random, Path run) {
        if (!Files.isDirectory(run)) {
            return run.toString();
        }
        try (Stream<Path> files = Files.walk(run)) {
            List<Path> all = files.filter(Files::isRegularFile).sorted().toList();
            return all.isEmpty() ? run.toString() : all.get(random.nextInt(all.size())).toString();
        } catch (IOException e) {
            return run.toString();
        }
    }

    private Path write(SortedMap<String, byte[]> files, boolean zipped) throws IOException {
        if (zipped) {
            Path zip = folder.resolve("damaged.zip");
            try (OutputStream file = Files.newOutputStream(zip); ZipOutputStream out = new ZipOutputStream(file)) {
                for (Map.Entry<String, byte[]> each : files.entrySet()) {
                    out.putNextEntry(new ZipEntry("damaged/" + each.getKey()));
                    out.write(each.getValue());
                }
            }
            return zip;
        }
        Path run = Files.createDirectories(folder.resolve("damaged"));
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            Path file = run.resolve(each.getKey());
            if (!Files.isRegularFile(file.getParent()) && !Files.isDirectory(file)) {
                Files.createDirectories(file.getParent());
                Files.write(file, each.getValue());
            }
        }
        return run;
    }

    private static SortedMap<String, byte[]> fewLinesOf(Path run) throws IOException {
        SortedMap<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(run.relativize(file).toString(), fewLines(file));
            }
        }
        return contents;
    }

    /** Returns some lines of a performance log, from its beginning to its end; all lines of other files. */
    private static byte[] fewLines(Path file) throws IOException {
        if (!file.getFileName().toString().startsWith("performance")) {
            return Files.readAllBytes(file);
        }
        List<String> lines = Files.readAllLines(file);
        return IntStream.range(0, LINES).mapToObj(i -> lines.get((int) ((long) i * lines.size() / LINES)) + "\n")
                .reduce("", String::concat).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] recording() throws IOException {
        Path file = folder.resolve("recorded.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            recording.start();
            long end = System.nanoTime() + 100_000_000;
            double sum = 0;
            while (System.nanoTime() < end) {
                sum += Math.sin(sum + 1);
            }
            recording.stop();
            recording.dump(file);
        }
        return Files.readAllBytes(file);
    }

    private static void book(String line) throws IOException {
        if (!BOOKS.isEmpty()) {
            Files.writeString(Path.of(BOOKS), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            try (Stream<Path> all = Files.walk(path)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
