package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.Locale;

/** Who judges by figures, and so must be able to know them. */
public enum Judge {
    LIVE, EXACT, TRY, COMPARISON;

    /** @return as {@code vocabulary/} writes it */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
