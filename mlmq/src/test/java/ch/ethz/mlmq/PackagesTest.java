package ch.ethz.mlmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the dependencies of packages, from the class files and the imports. */
class PackagesTest {
    private static final Pattern DEPENDENCY = Pattern.compile(
            "^ +(ch\\.ethz\\.mlmq[\\w.]*) +-> (ch\\.ethz\\.mlmq[\\w.]*)", Pattern.MULTILINE);
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern IMPORT = Pattern.compile(
            "^import (?:static )?(ch\\.ethz\\.mlmq(?:\\.[a-z_]+)+)\\.[A-Z]", Pattern.MULTILINE);

    @Test
    void shouldHaveNoCircles() {
        assertNoCircles(dependencies());
    }

    @Test
    void shouldHaveNoCirclesOfImports() throws IOException {
        assertNoCircles(imports());
    }

    @Test
    void shouldHaveNoMoreThanThirtyFilesInAPackage() throws IOException {
        Map<Path, Long> files = sources().collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));

        files.values().removeIf(count -> count <= 30);

        assertThat(files).isEmpty();
    }

    private static void assertNoCircles(Map<String, Set<String>> left) {
        assertThat(left).isNotEmpty();

        // Whatever depends on nothing that is left is in no circle.
        while (left.values().removeIf(needed -> needed.stream().noneMatch(left::containsKey))) {
            left.values().forEach(needed -> needed.retainAll(left.keySet()));
        }

        assertThat(left).as("packages in a circle, or above one, and what they need of it").isEmpty();
    }

    private static Stream<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : List.of("../mlmq", "../mlmq_client")) {
            try (Stream<Path> files = Files.walk(Path.of(module, "src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
            }
        }
        return all.stream();
    }

    private static Map<String, Set<String>> imports() throws IOException {
        Map<String, Set<String>> imports = new HashMap<>();
        for (Path file : sources().toList()) {
            String text = Files.readString(file);
            Matcher own = PACKAGE.matcher(text);
            if (own.find()) {
                IMPORT.matcher(text).results().map(found -> found.group(1)).filter(name -> !name.equals(own.group(1)))
                        .forEach(name -> imports.computeIfAbsent(own.group(1), key -> new TreeSet<>()).add(name));
            }
        }
        return imports;
    }

    private static Map<String, Set<String>> dependencies() {
        StringWriter out = new StringWriter();
        int exitCode = ToolProvider.findFirst("jdeps").orElseThrow().run(new PrintWriter(out), new PrintWriter(out),
                "-verbose:package", "--ignore-missing-deps", "target/classes", "../mlmq_client/target/classes");
        assertThat(exitCode).as(out.toString()).isZero();
        Map<String, Set<String>> dependencies = new HashMap<>();
        DEPENDENCY.matcher(out.toString()).results().forEach(found ->
                dependencies.computeIfAbsent(found.group(1), name -> new TreeSet<>()).add(found.group(2)));
        return dependencies;
    }
}
