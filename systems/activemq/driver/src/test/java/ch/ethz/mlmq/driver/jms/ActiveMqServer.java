package ch.ethz.mlmq.driver.jms;

import ch.ethz.mlmq.driver.contract.ServerUnderTest;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** An ActiveMQ server for one test. */
final class ActiveMqServer extends ServerUnderTest {
    private ActiveMqServer() throws IOException {
        super("activemq");
    }

    static ActiveMqServer started() throws IOException, InterruptedException {
        ActiveMqServer server = new ActiveMqServer();
        server.copyClassPath();
        server.start();
        return server;
    }

    @Override
    public String address() {
        return "tcp://127.0.0.1:" + port();
    }

    @Override
    protected List<String> command() {
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", folder() + "/lib/classes:" + folder() + "/lib/*",
                BrokerProgram.class.getName(), String.valueOf(port()), folder().toString(),
                "priorities");
    }

    /** Copies the class path, which may be readable only by the tests' own user. */
    private void copyClassPath() throws IOException {
        Path lib = Files.createDirectory(folder().resolve("lib"));
        for (String entry : testClassPath().split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isRegularFile(path)) {
                if (!path.toString().contains("mlmq")) {
                    Files.copy(path, lib.resolve(path.getFileName()));
                }
            } else if (path.endsWith("test-classes")) {
                copyFolder(path, lib.resolve("classes"));
            }
        }
    }

    private static void copyFolder(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    /** Returns Surefire's class path if it forks a JVM, or that of Maven's class loader if it does not. */
    private static String testClassPath() {
        String ofSurefire = System.getProperty("surefire.test.class.path");
        return ofSurefire == null ? System.getProperty("java.class.path") : ofSurefire;
    }
}
