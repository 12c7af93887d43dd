package ch.ethz.mlmq.driver.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real server for one test: an unprivileged process with its data in a temporary folder, at a free port of the
 * loopback interface. Tests may kill and restart it.
 */
public abstract class ServerUnderTest implements AutoCloseable {
    private static final int PORTS_FROM = 12_000;
    private static final int PORTS_TO = 30_000;
    private static final long PATIENCE_SECONDS = 180;

    private final String user;
    private final Path folder;
    private final int port;
    private Process process;

    /** @param user that runs the server if the tests run as root */
    protected ServerUnderTest(String user) throws IOException {
        this.user = user;
        this.port = freePort();
        this.folder = Files.createTempDirectory("mlmq-" + user);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(isRoot() ? "rwxrwxrwx" : "rwx------"));
    }

    /** @return a value for {@code client.driver.address} */
    public abstract String address();

    /** @return the server's program and its arguments */
    protected abstract List<String> command() throws IOException;

    /** @return the program's environment, in addition to that of the tests */
    protected Map<String, String> environment() {
        return Map.of();
    }

    /** @return the port that it listens on */
    public final int port() {
        return port;
    }

    /** @return its folder, which it may write to */
    public final Path folder() {
        return folder;
    }

    /** @return true once a server that accepts connections has completed its start */
    protected boolean isComplete() throws IOException {
        return true;
    }

    /** Starts it, and waits until it is complete and accepts connections. After a failure no process remains. */
    public final void start() throws IOException, InterruptedException {
        process = spawn(folder.resolve("server.log"), command());
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!listens() || !isComplete()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                String log = log();
                close();
                throw new IllegalStateException("the server does not start: " + log);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** @return its output since the last start */
    public final String log() throws IOException {
        return Files.readString(folder.resolve("server.log"));
    }

    /** Kills it, like a crash. Its files stay. */
    public final void kill() {
        List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
        all.addAll(process.descendants().toList());
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join());
    }

    /** Stops or continues all its processes. */
    public final void signal(String name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name, String.valueOf(process.pid())));
        process.descendants().forEach(one -> command.add(String.valueOf(one.pid())));
        new ProcessBuilder(command).start().waitFor();
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            kill();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Starts a program as the server's user. */
    protected final Process spawn(Path log, List<String> program) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--init-groups", "--"));
        }
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment());
        return builder.start();
    }

    /** Runs a program as the server's user, and waits for its end. */
    protected final void run(List<String> program) throws IOException, InterruptedException {
        Path log = folder.resolve("output.log");
        Process run = spawn(log, program);
        if (!run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || run.exitValue() != 0) {
            throw new IllegalStateException(String.join(" ", program) + ": " + Files.readString(log));
        }
    }

    /** @return a port below those of outgoing connections, so that it stays free meanwhile */
    public static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(PORTS_FROM, PORTS_TO);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // The port is in use; another one will be free.
            }
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
