package ch.ethz.mlmq.driver.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL cluster for one test. */
final class PostgresqlServer extends ServerUnderTest {
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    private PostgresqlServer() throws IOException {
        super("postgres");
    }

    static PostgresqlServer started() throws IOException, InterruptedException {
        PostgresqlServer server = new PostgresqlServer();
        server.run(List.of(program("initdb"), "-D", server.data(), "-U", "mlmq", "-A", "trust", "-E", "UTF8",
                "--locale=C", "--no-sync"));
        server.start();
        return server;
    }

    @Override
    public String address() {
        return "postgresql://mlmq@127.0.0.1:" + port() + "/postgres";
    }

    @Override
    protected List<String> command() throws IOException {
        return List.of(program("postgres"), "-D", data(), "-p", String.valueOf(port()), "-c",
                "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "shared_buffers=32MB");
    }

    private String data() {
        return folder().resolve("data").toString();
    }

    /** Debian keeps the server's programs out of PATH. */
    private static String program(String name) throws IOException {
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.map(version -> version.resolve("bin").resolve(name)).filter(Files::isExecutable)
                    .max(Comparator.naturalOrder()).map(Path::toString)
                    .orElseThrow(() -> new IllegalStateException("no " + name + ": install postgresql"));
        }
    }
}
