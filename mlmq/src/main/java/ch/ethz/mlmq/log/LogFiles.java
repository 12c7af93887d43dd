package ch.ethz.mlmq.log;

import ch.ethz.mlmq.config.Role;
import java.nio.file.Path;

/**
 * Names of the files that a JVM of a run writes.
 *
 * @param folder   of the JVM's logs
 * @param role     of the JVM
 * @param position of the JVM, from 0
 */
public record LogFiles(Path folder, Role role, int position) {
    public Path performance() {
        return file("performance_", ".log");
    }

    public Path statistics() {
        return file("stats_", ".csv");
    }

    public Path gauges() {
        return file("gauges_", ".csv");
    }

    public Path histograms() {
        return file("", ".hlog");
    }

    public Path summary() {
        return file("summary_", ".json");
    }

    /** @return the file of response times, rewritten every second */
    public Path times() {
        return file("times_", ".txt");
    }

    /** @return the log of what users did */
    public Path audit() {
        return file("audit_", ".log");
    }

    /** @return the log that java.util.logging writes */
    public Path people() {
        return file("", ".log");
    }

    private Path file(String prefix, String suffix) {
        return folder.resolve(prefix + role.word() + "_" + position + suffix);
    }
}
