package ch.ethz.mlmq.scenario.run;

import ch.ethz.mlmq.agent.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A JVM of its own with a command of {@code mlmq.jar}: to be stopped, killed and looked at like any other process. */
final class MlmqProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final Pattern LISTENS = Pattern.compile("listens on (\\S+:\\d+)");

    private final Process process;
    private final Path out;
    private final Path err;

    private MlmqProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** @param folder working directory, made where it is missing; what is printed goes to files there */
    static MlmqProcess start(Path folder, String... arguments) throws IOException {
        Files.createDirectories(folder);
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath(),
                "ch.ethz.mlmq.cli.Main"));
        command.addAll(List.of(arguments));
        return new MlmqProcess(new ProcessBuilder(command).directory(folder.toFile()).redirectOutput(out.toFile())
                .redirectError(err.toFile()).start(), out, err);
    }

    /** As in the jar: what the tests add would have it log less than it does. */
    private static String classPath() {
        return Arrays.stream(JavaProcess.classPath().split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes")).collect(Collectors.joining(File.pathSeparator));
    }

    /** @return a broker that listens */
    static MlmqProcess broker(Path folder, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("broker"));
        command.addAll(List.of(arguments));
        MlmqProcess broker = start(folder, command.toArray(String[]::new));
        broker.address();
        return broker;
    }

    /** @return {@code host:port} that the broker says it listens on */
    String address() throws Exception {
        Matcher[] found = new Matcher[1];
        until("the broker listens", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("the broker ended: " + Files.readString(err));
            }
            found[0] = LISTENS.matcher(Files.readString(err));
            return found[0].find();
        });
        return found[0].group(1);
    }

    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    }

    /** @return the exit code, once there is one */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
        return process.exitValue();
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    /** Ends it without any chance to say goodbye. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    static void until(String what, Condition condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.isTrue()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("in vain until " + what);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** A condition to wait for. */
    interface Condition {
        boolean isTrue() throws Exception;
    }
}
