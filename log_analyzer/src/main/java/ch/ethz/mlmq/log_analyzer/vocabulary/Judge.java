package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.Locale;

/** Judges of runs, each of which knows certain figures. */
public enum Judge {
    LIVE, EXACT, TRY, COMPARISON;

    /** @return its word in {@code vocabulary/} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
