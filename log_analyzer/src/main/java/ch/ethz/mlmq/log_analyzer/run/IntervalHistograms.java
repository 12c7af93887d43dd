package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;

/**
 * The interval histograms of all client JVMs, added up by tag. That is exact: the counts of a histogram add, whereas
 * percentiles do not.
 *
 * @param byTag one for each operation; service times of open load end in {@code :service}
 */
public record IntervalHistograms(Map<String, Histogram> byTag) {
    private static final int DIGITS = 3;
    private static final String SERVICE = ":service";
    /** What the same requests are called in performance logs, before the tag. */
    private static final String ACTION = "CSndReq#OK#";

    /**
     * @param phase    only intervals that lie in it; empty for all
     * @param prefixes only requests whose action begins with one of these; none for all
     */
    public static IntervalHistograms of(Run run, Optional<Phase> phase, List<String> prefixes) throws IOException {
        Map<String, Histogram> byTag = new TreeMap<>();
        for (StoredFile file : run.histograms()) {
            try (InputStream in = file.openWholeLines(); HistogramLogReader reader = new HistogramLogReader(in)) {
                while (reader.hasNext()) {
                    EncodableHistogram interval = reader.nextIntervalHistogram();
                    if (interval instanceof Histogram histogram && liesIn(phase, histogram)) {
                        String tag = histogram.getTag() == null ? "all" : histogram.getTag();
                        if (prefixes.isEmpty() || prefixes.stream().anyMatch((ACTION + tag)::startsWith)) {
                            byTag.computeIfAbsent(tag, unseen -> new Histogram(DIGITS)).add(histogram);
                        }
                    }
                }
            }
        }
        return new IntervalHistograms(byTag);
    }

    public boolean isEmpty() {
        return byTag.isEmpty();
    }

    /** @return response times of all operations */
    public Histogram responses() {
        Histogram sum = new Histogram(DIGITS);
        byTag.forEach((tag, histogram) -> {
            if (!tag.endsWith(SERVICE)) {
                sum.add(histogram);
            }
        });
        return sum;
    }

    /** @return the counts by value, to the resolution of the histograms (three digits) */
    public static Distribution distribution(Histogram histogram) {
        Distribution.Builder builder = new Distribution.Builder(1024);
        for (HistogramIterationValue value : histogram.recordedValues()) {
            builder.add((int) Math.min(Integer.MAX_VALUE, value.getValueIteratedTo()),
                    value.getCountAtValueIteratedTo());
        }
        return builder.build();
    }

    private static boolean liesIn(Optional<Phase> phase, Histogram interval) {
        return phase.isEmpty() || phase.get()
                .contains((interval.getStartTimeStamp() + interval.getEndTimeStamp()) / 2.0);
    }
}
