package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/** How packages depend on each other, as the class files say. */
class PackagesTest {
    private static final Pattern DEPENDENCY = Pattern.compile(
            "^ +(ch\\.ethz\\.mlmq[\\w.]*) +-> (ch\\.ethz\\.mlmq[\\w.]*)", Pattern.MULTILINE);

    @Test
    void shouldHaveNoCircles() {
        Map<String, Set<String>> left = dependencies();
        assertThat(left).isNotEmpty();

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
}
