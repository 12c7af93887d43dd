package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a program that has only {@code mlmq-client.jar}, which bin/setup builds. */
class ClientLibraryTest {
    private static final Path JAR = Path.of("../mlmq_client/target/mlmq-client.jar").toAbsolutePath().normalize();
    private static final int MOST_BYTES = 300_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @TempDir
    Path folder;

    @Test
    void shouldCompileAndRunTheExampleOfTheReadmeWithThatJarAlone() throws Exception {
        assertThat(compile("Example", example(), "-classpath", JAR.toString())).isEmpty();

        assertThat(run("Example").strip()).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"WorkerPool", "AsyncWorkerPool"})
    void shouldCompileAndRunTheExamplesOfWorkerPools(String name) throws Exception {
        String source = Files.readString(Path.of("../examples/java/" + name + ".java"));
        assertThat(compile(name, source, "-classpath", JAR.toString())).isEmpty();
        Client client = BROKERS.registered(StorageKind.MEMORY);
        int queue = client.createQueueIfAbsent("jobs");
        for (int i = 0; i < 50; i++) {
            client.sendMessage(queue, ("job " + i).getBytes(StandardCharsets.UTF_8));
        }

        List<String> lines = run(name, BROKERS.address(StorageKind.MEMORY), "50").lines().toList();

        assertThat(lines).extracting(line -> line.substring(line.indexOf(" executes ")))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 50).mapToObj(i -> " executes job " + i)
                        .toList());
        client.deleteQueue(queue, true);
    }

    @Test
    void shouldShowThatExampleInAtMostFifteenLines() throws IOException {
        assertThat(readmeExample().replaceAll("import .*\n", "").strip().lines().count()).isLessThanOrEqualTo(15);
    }

    @Test
    void shouldBeSmallAndHoldNothingOfTheBroker() throws IOException {
        assertThat(Files.size(JAR)).isLessThan(MOST_BYTES);
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, Math.max(0, name.lastIndexOf('/')))).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrder("", "ch/ethz/mlmq/agent", "ch/ethz/mlmq/client", "ch/ethz/mlmq/protocol",
                            "ch/ethz/mlmq/protocol/scram", "ch/ethz/mlmq/protocol/tls", "ch/ethz/mlmq/protocol/wire");
        }
    }

    @Test
    void shouldLetAModuleReachItsPublicPackagesOnly() throws IOException {
        Files.writeString(folder.resolve("module-info.java"), "module example { requires ch.ethz.mlmq.client; }");

        assertThat(compile("module-info", null, "--module-path", JAR.toString())).isEmpty();
        assertThat(compile("Example", "package example;\n" + example(), "--module-path", JAR.toString())).isEmpty();
        for (String hidden : List.of("ch.ethz.mlmq.protocol.wire.RequestCodec", "ch.ethz.mlmq.agent.AgentRunner")) {
            assertThat(compile("Inner", "package example;\nclass Inner {\n    " + hidden + " reached;\n}\n",
                    "--module-path", JAR.toString())).contains("is not visible", "does not export it");
        }
    }

    @Test
    void shouldTellInItsPageWhatToDoAboutEachException() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/client.md"));

        assertThat(MlmqException.class.getPermittedSubclasses()).isNotEmpty()
                .allSatisfy(exception -> assertThat(page).contains("`" + exception.getSimpleName() + "`"));
    }

    /** README's example as a class, which talks to a broker of the test. */
    private static String example() throws IOException {
        String shown = readmeExample().replace("localhost:8099", BROKERS.address(StorageKind.MEMORY));
        int body = shown.lastIndexOf("import ");
        body = shown.indexOf('\n', body) + 1;
        return shown.substring(0, body) + "public final class Example {\n    public static void main(String[] args) {\n"
                + shown.substring(body) + "    }\n}\n";
    }

    private static String readmeExample() throws IOException {
        Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../README.md")));
        assertThat(block.find()).as("an example in Java in README.md").isTrue();
        return block.group(1);
    }

    /** @return what the compiler complains of */
    private String compile(String name, String source, String... options) throws IOException {
        if (source != null) {
            Files.writeString(folder.resolve(name + ".java"), source);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> all = new ArrayList<>(List.of(options));
            all.addAll(List.of("-d", folder.toString(), "-proc:none"));
            List<Path> sources = Stream.of(folder.resolve(name + ".java"), folder.resolve("module-info.java"))
                    .distinct().filter(Files::exists).toList();
            compiler.getTask(complaints, files, null, all, null, files.getJavaFileObjectsFromPaths(sources)).call();
        }
        return complaints.toString();
    }

    private String run(String name, String... arguments) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        URL[] classPath = {folder.toUri().toURL(), JAR.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            System.setOut(new PrintStream(shown, true, StandardCharsets.UTF_8));
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) arguments);
        } finally {
            System.setOut(console);
        }
        return shown.toString(StandardCharsets.UTF_8);
    }
}
