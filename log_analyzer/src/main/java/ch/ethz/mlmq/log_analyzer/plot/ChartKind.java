package ch.ethz.mlmq.log_analyzer.plot;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of picture of one run; the name in lower case is that of the file and what {@code -kind} takes. */
public enum ChartKind {
    RESPONSE_TIME, THROUGHPUT, BREAKDOWN, HISTOGRAM, CDF, SPECTRUM, BOX, QUEUES, MESSAGES, RATES;

    public String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ChartKind> named(String name) {
        return Arrays.stream(values()).filter(kind -> kind.fileName().equals(name)).findFirst();
    }

    /** @return all names, with commas between */
    public static String names() {
        return Arrays.stream(values()).map(ChartKind::fileName).collect(Collectors.joining(", "));
    }
}
