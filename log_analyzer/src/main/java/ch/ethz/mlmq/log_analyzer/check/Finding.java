package ch.ethz.mlmq.log_analyzer.check;

import java.util.OptionalDouble;

/**
 * What one check says of a run.
 *
 * @param topic  what was looked at
 * @param reason what was found, in a sentence with figures
 * @param value  the one figure that programs take from it, in the unit that the check tells; else empty
 */
public record Finding(Level level, Topic topic, String reason, OptionalDouble value) {
    /** From harmless to fatal for the run's figures. */
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

    /** What is neither good nor bad, but worth knowing. */
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

    /** @return the same with that figure */
    Finding with(double figure) {
        return new Finding(level, topic, reason, OptionalDouble.of(figure));
    }

    private static Finding of(Level level, Topic topic, String reason, Object... figures) {
        return new Finding(level, topic, reason.formatted(figures), OptionalDouble.empty());
    }
}
