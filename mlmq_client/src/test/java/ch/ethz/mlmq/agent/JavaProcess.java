package ch.ethz.mlmq.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A class of this build in its own JVM, which tests can kill. Its output goes to a file. */
public final class JavaProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Path output;

    private JavaProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * @param output  gets what the process prints, after what is there already
     * @param options of the JVM
     * @param main    class with a main method, on this JVM's class path
     */
    public static JavaProcess start(Path output, List<String> options, String main, List<String> arguments)
            throws IOException {
        return start(output, List.of(), options, main, arguments);
    }

    /** The same. @param prefix what the command begins with */
    public static JavaProcess start(Path output, List<String> prefix, List<String> options, String main,
            List<String> arguments) throws IOException {
        // The process has its own session, so that Ctrl-C reaches only this JVM, which ends the others.
        List<String> command = new ArrayList<>(prefix);
        command.add("setsid");
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(classPath());
        command.add(main);
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile())).start();
        return new JavaProcess(process, output);
    }

    /** @return that of the tests, whether they have a JVM of their own or are in Maven's */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Waits until the process has printed the text. */
    public void awaitOutput(String text) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Files.readString(output).contains(text)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException("no \"" + text + "\" from the process, but: "
                        + Files.readString(output));
            }
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public Path output() {
        return output;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process with SIGKILL. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Ends the process with SIGTERM. @return exit code */
    public int terminate() throws InterruptedException {
        process.destroy();
        return awaitExit();
    }

    /** @return exit code */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException("the process did not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
