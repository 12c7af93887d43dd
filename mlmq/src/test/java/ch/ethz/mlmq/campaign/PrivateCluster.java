package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.schema.DatabaseScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL cluster of a test's own, with the broker's tables in it: to be killed and restarted, or where
 * transactions of others, whose databases are beside those of the tests, would be in the way.
 */
public final class PrivateCluster implements AutoCloseable {
    private static final String DATABASE = "mlmq";
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final long PATIENCE_SECONDS = 60;

    private final Path folder;
    private final Path data;
    private final int port;
    private final List<String> asUser;
    private final String furtherAddress;

    private PrivateCluster(Path folder, int port, List<String> asUser, String furtherAddress) {
        this.furtherAddress = furtherAddress;
        this.folder = folder;
        this.data = folder.resolve("data");
        this.port = port;
        this.asUser = asUser;
    }

    /** Makes a cluster and starts it. */
    public static PrivateCluster start() {
        return start("");
    }

    /**
     * The same. @param furtherAddress of this host that it also listens on, for whoever is on that network; or empty
     */
    static PrivateCluster start(String furtherAddress) {
        try {
            Path folder = Files.createTempDirectory("mlmq-cluster");
            boolean root = "root".equals(System.getProperty("user.name"));
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(root ? "rwxrwxrwx" : "rwx------"));
            // The server refuses to run as root.
            PrivateCluster cluster = new PrivateCluster(folder, FreePort.find(),
                    root ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--")
                    : List.of(), furtherAddress);
            cluster.run("initdb", "-D", cluster.data.toString(), "-U", "mlmq", "-A", "trust", "-E", "UTF8",
                    "--locale=C", "--no-sync");
            if (!furtherAddress.isEmpty()) {
                Files.writeString(cluster.data.resolve("pg_hba.conf"), "host all all samenet trust\n",
                        StandardOpenOption.APPEND);
            }
            cluster.restart();
            DatabaseScript script = new DatabaseScript(cluster.server(), DATABASE);
            script.create();
            script.createTables();
            return cluster;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public DatabaseAddress address() {
        return address(DATABASE);
    }

    /** Where further databases are made. */
    public DatabaseAddress server() {
        return address("postgres");
    }

    public Connection connect() throws SQLException {
        return address().connect();
    }

    /** @return what the server has logged */
    public Path log() {
        return folder.resolve("server.log");
    }

    /**
     * Kills one of the server's processes: it ends all connections, recovers, and goes on by itself. Returns when it
     * takes connections again.
     */
    public void killBackend(Random random) throws IOException, InterruptedException {
        List<ProcessHandle> children = postmaster().children().toList();
        children.get(random.nextInt(children.size())).destroyForcibly();
        // It ends all of them before it recovers; until then it may still take connections.
        for (ProcessHandle child : children) {
            child.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                connect().close();
                return;
            } catch (SQLException e) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("the server does not recover", e);
                }
                Thread.sleep(10);
            }
        }
    }

    /** Has the server write no WAL but for commits that wait for it, until it is killed. */
    public void stopBackgroundWrites() throws SQLException, IOException, InterruptedException {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET autovacuum = off");
            statement.execute("SELECT pg_reload_conf()");
            try (ResultSet rows = statement.executeQuery(
                    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'")) {
                rows.next();
                run("kill", "-STOP", rows.getString(1));
            }
        }
    }

    private ProcessHandle postmaster() throws IOException {
        long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
        return ProcessHandle.of(pid).orElseThrow();
    }

    /** Kills the server as a crash would; its disk stays. */
    public void kill() throws IOException {
        end(postmaster());
        // The postmaster first: where a child of it dies, it makes new ones. One that it made last still holds memory,
        // and PostgreSQL does not start beside it.
        for (List<ProcessHandle> left = working(); !left.isEmpty(); left = working()) {
            left.forEach(PrivateCluster::end);
        }
    }

    /** @return the server's processes, each of which works in its data directory */
    private List<ProcessHandle> working() {
        return ProcessHandle.allProcesses().filter(process -> {
            try {
                return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd")).equals(data);
            } catch (IOException e) {
                return false; // it has ended, or is another user's
            }
        }).toList();
    }

    private static void end(ProcessHandle process) {
        process.destroyForcibly();
        process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Starts the server, after a crash too, and waits until it takes connections. */
    public void restart() throws IOException, InterruptedException {
        run("pg_ctl", "-D", data.toString(), "-l", log().toString(), "-w", "-t", "60", "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1" + (furtherAddress.isEmpty() ? "" : ",")
                        + furtherAddress + " -c unix_socket_directories='' -c shared_buffers=32MB "
                        + "-c max_connections=100", "start");
    }

    /** Stops the server in order. */
    public void stop() throws IOException, InterruptedException {
        run("pg_ctl", "-D", data.toString(), "-m", "fast", "-w", "stop");
    }

    @Override
    public void close() {
        try {
            if (Files.exists(data.resolve("postmaster.pid"))) {
                run("pg_ctl", "-D", data.toString(), "-m", "immediate", "-w", "stop");
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private DatabaseAddress address(String database) {
        return new DatabaseAddress("jdbc:postgresql://127.0.0.1:" + port + "/" + database, "mlmq", "");
    }

    private void run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asUser);
        command.add(program(program));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + Files.readString(output));
        }
    }

    /** Debian keeps the server's programs out of PATH. */
    private static String program(String name) throws IOException {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, name))) {
                return Path.of(folder, name).toString();
            }
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.map(version -> version.resolve("bin").resolve(name)).filter(Files::isExecutable)
                    .max(Comparator.naturalOrder()).map(Path::toString)
                    .orElseThrow(() -> new IllegalStateException("no " + name + ": install postgresql"));
        }
    }
}
