package ch.ethz.mlmq.log_analyzer.check;

import java.util.OptionalDouble;

/**
 * The result of one check of a run.
 *
 * @param topic  subject of the check
 * @param reason result in a sentence with figures
 * @param value  the figure for programs, in the unit of the check; else empty
 */
public record Finding(Level level, Topic topic, String reason, OptionalDouble value) {
    /** Severity for the run's figures, from harmless to fatal. */
    public enum Level {
        GOOD("good"), NOTE("note"), UNKNOWN("unknown"), WARNING("warning"), REJECTED("rejected");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    static Finding good(Topic topic, String reason, Object... figures) {
        return of(Level.GOOD, topic, reason, figures);
    }

    /** Makes a neutral finding that is worth knowing. */
    static Finding note(Topic topic, String reason, Object... figures) {
        return of(Level.NOTE, topic, reason, figures);
    }

    static Finding unknown(Topic topic, String reason, Object... figures) {
        return of(Level.UNKNOWN, topic, reason, figures);
    }

    static Finding warning(Topic topic, String reason, Object... figures) {
        return of(Level.WARNING, topic, reason, figures);
    }

    static Finding rejected(Topic topic, String reason, Object... figures) {
        return of(Level.REJECTED, topic, reason, figures);
    }

    /** @return the same finding with that figure */
    Finding with(double figure) {
        return new Finding(level, topic, reason, OptionalDouble.of(figure));
    }

    /** @return the same finding with those words after its reason */
    Finding and(String words) {
        return new Finding(level, topic, reason + words, value);
    }

    private static Finding of(Level level, Topic topic, String reason, Object... figures) {
        return new Finding(level, topic, reason.formatted(figures), OptionalDouble.empty());
    }
}
