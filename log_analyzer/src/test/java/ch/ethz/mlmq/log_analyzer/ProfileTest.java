package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Proportion;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ProfileTest {
    private static final long MEASURED_MS = 1_500;

    @TempDir
    private static Path folder;
    private static Path zip;
    private static Path mirrored;
    private static double sink;
    private static volatile Object kept;

    /** Records threads with known work: warm-up by another method, then three parts to one. */
    @BeforeAll
    static void record() throws Exception {
        Path recorded = folder.resolve("profile.jfr");
        long measureFrom;
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s");
            recording.enable("jdk.JavaMonitorEnter").withThreshold(Duration.ofMillis(1)).withStackTrace();
            recording.enable("jdk.CPULoad").withPeriod(Duration.ofMillis(100));
            recording.start();
            work(() -> warmUp(System.nanoTime() + 500_000_000L), "worker-0");
            measureFrom = System.currentTimeMillis();
            awaitLock();
            long end = System.nanoTime() + MEASURED_MS * 1_000_000L;
            Thread other = new Thread(() -> mixed(end), "io-1 <&>");
            other.start();
            work(() -> mixed(end), "worker-7");
            other.join();
            recording.stop();
            recording.dump(recorded);
        }
        zip = zip("run.zip", Files.readAllBytes(recorded), "broker_0/profile.jfr", measureFrom);
        mirrored = zip("other.zip", Files.readAllBytes(recorded), "broker_0/profile_1700000000000.jfr", measureFrom);
    }

    @Test
    void shouldFindTheShareOfKnownMethodsInTheMeasuredSecondsOnly() {
        Invocation table = profile(zip, "-fmt", "csv", "-tier", "worker");

        assertThat(table.exitCode()).as(table.err()).isZero();
        assertThat(table.lines().get(0)).isEqualTo("method,samples,share,share_low,share_high,with_called");
        assertThat(table.out()).doesNotContain("warmUp");
        String[] hot = row(table, "ProfileTest.hot");
        assertThat(Double.parseDouble(hot[2])).isGreaterThan(40);
        assertThat(Double.parseDouble(hot[3])).isLessThan(Double.parseDouble(hot[2]));
        assertThat(Double.parseDouble(hot[4])).isGreaterThan(Double.parseDouble(hot[2]));
        assertThat(Double.parseDouble(row(profile(zip, "-fmt", "csv", "-by", "class"), "ProfileTest")[5]))
                .as("all of it is called from here").isGreaterThan(90);
        assertThat(row(profile(zip, "-fmt", "csv", "-by", "package"), "ch.ethz.mlmq.log_analyzer")).isNotNull();
    }

    @Test
    void shouldTellAllocationsAndLockWaits() {
        assertThat(row(profile(zip, "-fmt", "csv", "-what", "alloc"), "ProfileTest.allocate")).isNotNull();
        assertThat(row(profile(zip, "-fmt", "csv", "-what", "lock"), "ProfileTest.lock")).isNotNull();
    }

    @Test
    void shouldFoldStacksAndDrawThem() throws Exception {
        assertThat(profile(zip, "-fmt", "folded").lines()).allMatch(line -> line.matches("[^;]+(;[^;]+)* \\d+"))
                .anyMatch(line -> line.matches("broker worker;.*ProfileTest.mixed;.*ProfileTest.hot \\d+"));
        String svg = profile(zip, "-fmt", "svg").out();
        Document drawn = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
        assertThat(drawn.getElementsByTagName("script").getLength()).isZero();
        assertThat(svg).contains("<title>broker io-N &lt;&amp;&gt;: ")
                .containsPattern("ProfileTest.hot: \\d+(\\.\\d)? %");
    }

    @Test
    void shouldFindNoDifferenceWhereThereIsNone() {
        Invocation same = profile(zip, "-fmt", "csv", "-against", mirrored);

        assertThat(same.exitCode()).as(same.err()).isZero();
        assertThat(same.lines().subList(1, same.lines().size())).isNotEmpty()
                .allMatch(line -> line.endsWith(",within noise"));
        Invocation changed = profile(zip, "-fmt", "csv", "-tier", "worker", "-what", "cpu", "-against", mirrored, "-by",
                "package");
        assertThat(changed.exitCode()).isZero();
        assertThat(profile(zip, "-fmt", "svg", "-against", mirrored).out()).contains("class=\"same\"")
                .contains(", was ");
    }

    @Test
    void shouldWriteAllPartsOfAPage() throws Exception {
        Path parts = folder.resolve("parts.zip");

        assertThat(profile(zip, "-fmt", "parts", "-out", parts).exitCode()).isZero();

        try (ZipFile file = new ZipFile(parts.toFile())) {
            String index = text(file, "index.json");
            assertThat(index).contains("\"key\":\"all\"", "\"name\":\"broker worker\"", "\"system\":");
            assertThat(text(file, "all.cpu.json")).contains("\"method\":[{\"name\":");
            assertThat(text(file, "all.cpu.svg")).startsWith("<svg class=\"flame\"").doesNotContain("<style>");
        }
    }

    @Test
    void shouldReadWhatItCanAndSayWhatItCannot() throws Exception {
        byte[] recorded = Files.readAllBytes(folder.resolve("profile.jfr"));
        byte[] cut = Arrays.copyOf(recorded, recorded.length / 2);
        Invocation damaged = profile(zip("cut.zip", cut, "broker_0/profile.jfr", 0), "-fmt", "csv");
        assertThat(damaged.exitCode()).isEqualTo(2);
        assertThat(damaged.err()).contains("broker_0/profile.jfr cannot be read to its end");

        assertThat(profile(zip("none.zip", recorded, "broker_0/profile.txt", 0)).err())
                .contains("There is no recording", "profile: true");
        assertThat(profile(zip, "-jvm", "broker_9").err()).contains("They have JVMs broker_0 and threads");
        assertThat(profile(zip, "-top", "0").err()).contains("-top must be 1 or more");
        assertThat(profile(zip, "-fmt", "parts").err()).contains("needs -out");
    }

    /** A damaged recording must neither hide other recordings nor exhaust the memory. */
    @Test
    void shouldLiveThroughRecordingsThatAreNone() throws Exception {
        byte[] recorded = Files.readAllBytes(folder.resolve("profile.jfr"));
        java.util.Random random = new java.util.Random(7);
        for (int i = 0; i < 40; i++) {
            byte[] hostile = recorded.clone();
            for (int n = 0; n < 1 + i * 5; n++) {
                hostile[random.nextInt(i % 2 == 0 ? 200 : hostile.length)] = (byte) random.nextInt();
            }
            assertThat(profile(zip("hostile.zip", hostile, "broker_0/profile.jfr", 0), "-fmt", "csv").exitCode())
                    .isIn(0, 2);
        }
    }

    /** A killed JVM leaves such a recording: JDK 17 reads an unfinished chunk, JDK 21 waits for its end. */
    @ParameterizedTest
    @ValueSource(bytes = {-1, 3})
    void shouldReadARecordingThatIsMarkedAsBeingWritten(byte state) throws Exception {
        byte[] whole = Files.readAllBytes(folder.resolve("profile.jfr"));
        byte[] left = Arrays.copyOf(whole, whole.length + 1_000);
        left[64] = state;
        Invocation read = profile(zip("left.zip", left, "broker_0/profile.jfr", 0), "-fmt", "csv");
        assertThat(read.err()).doesNotContain("cannot be read");
        assertThat(read.out()).contains("ProfileTest.hot")
                .isEqualTo(profile(zip("whole.zip", whole, "broker_0/profile.jfr", 0), "-fmt", "csv").out());

        Arrays.fill(left, 24, 32, (byte) 0);
        assertThat(profile(zip("begun.zip", left, "broker_0/profile.jfr", 0), "-fmt", "csv").err())
                .contains("its JVM ended before it had written the kinds of its events");
    }

    /** The JDK's reader throws an InternalError here, which does not mean that this JVM is broken. */
    @Test
    void shouldSayThatARecordingHasAnEmptyPoolOfConstants() throws Exception {
        byte[] hostile = Files.readAllBytes(folder.resolve("profile.jfr"));
        ByteBuffer chunk = ByteBuffer.wrap(hostile);
        chunk.position((int) chunk.getLong(16));
        for (String field : List.of("size", "type", "start", "duration", "delta", "kind", "pools", "class")) {
            number(chunk);
        }
        int count = chunk.position();
        number(chunk);
        for (int i = count; i < chunk.position(); i++) {
            hostile[i] &= (byte) 0x80;
        }
        Invocation damaged = profile(zip("pool.zip", hostile, "broker_0/profile.jfr", 0), "-fmt", "csv");
        assertThat(damaged.exitCode()).isEqualTo(2);
        assertThat(damaged.err()).contains("broker_0/profile.jfr cannot be read to its end: Pool ");
    }

    /** @return the next one of a recording, seven bits a byte */
    private static long number(ByteBuffer chunk) {
        long number = 0;
        for (int shift = 0; shift < 56; shift += 7) {
            byte next = chunk.get();
            number |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        return number | (chunk.get() & 0xFFL) << 56;
    }

    /** Agresti and Coull (1998), and Newcombe (1998), table II: 56/70 against 48/80. */
    @Test
    void shouldKnowIntervalsOfShares() {
        Interval wilson = new Proportion(0, 10).interval(0.95);
        assertThat(wilson.low()).isZero();
        assertThat(wilson.high()).isCloseTo(0.2775, offset(0.0001));
        Interval difference = new Proportion(56 / 70.0, 70).lessThat(new Proportion(48 / 80.0, 80), 0.95);
        assertThat(difference.low()).isCloseTo(0.0524, offset(0.0001));
        assertThat(difference.high()).isCloseTo(0.3339, offset(0.0001));
        assertThat(new Proportion(0, 0).interval(0.95)).isEqualTo(Interval.UNKNOWN);
    }

    private static Invocation profile(Object run, Object... options) {
        List<Object> words = new ArrayList<>(List.of("profile", "-d", run));
        words.addAll(List.of(options));
        return Invocation.of(words.toArray());
    }

    private static String[] row(Invocation table, String name) {
        assertThat(table.exitCode()).as(table.err()).isZero();
        return table.lines().stream().map(line -> line.split(",")).filter(cells -> cells[0].endsWith(name)).findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in\n" + table.out()));
    }

    private static String text(ZipFile zip, String name) throws Exception {
        return new String(zip.getInputStream(zip.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
    }

    /** @param measureFrom 0 for a run whose clients do not tell */
    private static Path zip(String name, byte[] recording, String path, long measureFrom) throws Exception {
        Path file = folder.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new ZipEntry("logs/m1/" + path));
            out.write(recording);
            if (measureFrom > 0) {
                out.putNextEntry(new ZipEntry("logs/m1/client_0/summary_client_0.json"));
                out.write(("{\"started_ms\":" + measureFrom + ",\"duration_s\":" + MEASURED_MS / 1000.0 + "}")
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    private static void work(Runnable what, String name) throws InterruptedException {
        Thread thread = new Thread(what, name);
        thread.start();
        thread.join();
    }

    private static void warmUp(long end) {
        while (System.nanoTime() < end) {
            sink += Math.cos(sink);
        }
    }

    private static void mixed(long end) {
        while (System.nanoTime() < end) {
            hot();
            hot();
            hot();
            cool();
            allocate();
            lock();
        }
    }

    private static void hot() {
        double sum = 0;
        for (int i = 1; i < 200_000; i++) {
            sum += Math.sqrt(i) / (i + sum);
        }
        sink = sum;
    }

    private static void cool() {
        double sum = 0;
        for (int i = 1; i < 200_000; i++) {
            sum += Math.sqrt(i) / (i + sum);
        }
        sink = sum;
    }

    private static void allocate() {
        for (int i = 0; i < 200; i++) {
            kept = new byte[10_000];
        }
    }

    /** Makes one thread wait for the lock, however few processors there are. */
    private static void awaitLock() throws InterruptedException {
        Thread waiting = new Thread(ProfileTest::lock, "worker-8");
        synchronized (folder) {
            waiting.start();
            while (waiting.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            Thread.sleep(20);
        }
        waiting.join();
    }

    private static void lock() {
        synchronized (folder) {
            try {
                Thread.sleep(3);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
