package ch.ethz.mlmq.log_analyzer.check;

/**
 * What one check says of a run.
 *
 * @param topic  what was looked at
 * @param reason what was found, in a sentence with figures
 */
public record Finding(Level level, String topic, String reason) {
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

    static Finding good(String topic, String reason, Object... figures) {
        return new Finding(Level.GOOD, topic, reason.formatted(figures));
    }

    /** What is neither good nor bad, but worth knowing. */
    static Finding note(String topic, String reason, Object... figures) {
        return new Finding(Level.NOTE, topic, reason.formatted(figures));
    }

    static Finding unknown(String topic, String reason, Object... figures) {
        return new Finding(Level.UNKNOWN, topic, reason.formatted(figures));
    }

    static Finding warning(String topic, String reason, Object... figures) {
        return new Finding(Level.WARNING, topic, reason.formatted(figures));
    }

    static Finding rejected(String topic, String reason, Object... figures) {
        return new Finding(Level.REJECTED, topic, reason.formatted(figures));
    }
}
