package ch.ethz.mlmq.steering;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordingFile;

/** Profiles this JVM with Java Flight Recorder for a given time: {@code profile 10s}. Makes one recording at a time. */
final class Profiler {
    static final int MOST_SECONDS = 60;
    private static final long MOST_BYTES = 64L << 20;
    private static final String SETTINGS = "/profile.jfc";
    private static final Pattern LENGTH = Pattern.compile("([1-9]\\d{0,8})s");

    private final Path folder;
    private final AtomicBoolean recording = new AtomicBoolean();

    /** @param folder of recordings, {@code profile_<ms since 1970>.jfr} */
    Profiler(Path folder) {
        this.folder = folder;
    }

    /**
     * @param words the duration, such as {@code 10s}
     * @return the line for {@code .result} when the recording is written; other commands are executed meanwhile
     */
    CompletableFuture<String> record(List<String> words) throws CommandRefusedException {
        int seconds = seconds(words);
        if (!FlightRecorder.isAvailable()) {
            throw new CommandRefusedException("this JVM has no Java Flight Recorder: it needs the module jdk.jfr");
        }
        if (recordsAllAlong() || !recording.compareAndSet(false, true)) {
            throw new CommandRefusedException("a recording is already running: wait until it is written"
                    + " (with profile: true it lasts to the end of the JVM)");
        }
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread recorder = new Thread(() -> {
            try {
                answer.complete(recordFor(seconds));
            } catch (Exception | LinkageError e) {
                answer.completeExceptionally(e);
            } finally {
                recording.set(false);
            }
        }, "profile");
        recorder.setDaemon(true);
        recorder.start();
        return answer;
    }

    private static int seconds(List<String> words) throws CommandRefusedException {
        Matcher length = LENGTH.matcher(words.size() == 1 ? words.get(0) : "");
        if (!length.matches() || Long.parseLong(length.group(1)) > MOST_SECONDS) {
            throw new CommandRefusedException("write profile 10s: from 1s to " + MOST_SECONDS + "s");
        }
        return Integer.parseInt(length.group(1));
    }

    private boolean recordsAllAlong() {
        return !recording.get() && FlightRecorder.isInitialized() && FlightRecorder.getFlightRecorder().getRecordings()
                .stream().anyMatch(one -> one.getState() == RecordingState.RUNNING);
    }

    /** If the JVM shuts down meanwhile, the recording is written up to that moment. */
    private String recordFor(int seconds) throws IOException, ParseException, InterruptedException {
        Files.createDirectories(folder);
        Path file = folder.resolve("profile_" + System.currentTimeMillis() + ".jfr");
        try (Recording one = new Recording(settings())) {
            one.setToDisk(true);
            one.setMaxSize(MOST_BYTES);
            one.setDestination(file);
            one.setDumpOnExit(true);
            one.start();
            Thread.sleep(Duration.ofSeconds(seconds).toMillis());
            one.stop();
        }
        return file.getFileName() + " has " + samples(file) + " samples of " + seconds + " s";
    }

    private static Configuration settings() throws IOException, ParseException {
        InputStream settings = Profiler.class.getResourceAsStream(SETTINGS);
        if (settings == null) {
            throw new IOException("the jar has no " + SETTINGS);
        }
        try (InputStreamReader in = new InputStreamReader(settings, StandardCharsets.UTF_8)) {
            return Configuration.create(in);
        }
    }

    private static long samples(Path file) throws IOException {
        long samples = 0;
        try (RecordingFile recorded = new RecordingFile(file)) {
            while (recorded.hasMoreEvents()) {
                samples += recorded.readEvent().getEventType().getName().equals("jdk.ExecutionSample") ? 1 : 0;
            }
        }
        return samples;
    }
}
