package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the dependencies of packages, from the class files, and from the imports, which also serve Javadoc. */
class PackagesTest {
    private static final Pattern DEPENDENCY = Pattern.compile(
            "^ +(ch\\.ethz\\.mlmq[\\w.]*) +-> (ch\\.ethz\\.mlmq[\\w.]*)", Pattern.MULTILINE);
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern IMPORT = Pattern.compile(
            "^import (?:static )?(ch\\.ethz\\.mlmq[a-z0-9_.]*)\\.[A-Z]", Pattern.MULTILINE);

    @Test
    void shouldHaveNoCircles() throws IOException {
        Map<String, Set<String>> left = dependencies();
        assertThat(left).isNotEmpty();
        addImports(left);

        // Whatever depends on nothing that is left is in no circle.
        while (left.values().removeIf(needed -> needed.stream().noneMatch(left::containsKey))) {
            left.values().forEach(needed -> needed.retainAll(left.keySet()));
        }

        assertThat(left).as("packages in a circle, or above one, and what they need of it").isEmpty();
    }

    private static Map<String, Set<String>> dependencies() {
        StringWriter out = new StringWriter();
        int exitCode = ToolProvider.findFirst("jdeps").orElseThrow().run(new PrintWriter(out), new PrintWriter(out),
                "-verbose:package", "--ignore-missing-deps", "target/classes");
        assertThat(exitCode).as(out.toString()).isZero();
        Map<String, Set<String>> dependencies = new HashMap<>();
        DEPENDENCY.matcher(out.toString()).results().forEach(found ->
                dependencies.computeIfAbsent(found.group(1), name -> new TreeSet<>()).add(found.group(2)));
        return dependencies;
    }

    private static void addImports(Map<String, Set<String>> dependencies) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                String code = Files.readString(file);
                String own = PACKAGE.matcher(code).results().findFirst().orElseThrow().group(1);
                IMPORT.matcher(code).results().map(found -> found.group(1)).filter(other -> !other.equals(own))
                        .forEach(other -> dependencies.computeIfAbsent(own, name -> new TreeSet<>()).add(other));
            }
        }
    }
}
