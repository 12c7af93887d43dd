package ch.ethz.mlmq.log_analyzer.plot;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of picture; the name in lower case is the name of the file and what {@code -kind} takes. */
public enum ChartKind {
    RESPONSE_TIME, THROUGHPUT;

    public String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ChartKind> named(String name) {
        return Arrays.stream(values()).filter(kind -> kind.fileName().equals(name)).findFirst();
    }
}
