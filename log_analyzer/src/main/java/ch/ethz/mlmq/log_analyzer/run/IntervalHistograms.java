package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.Lines;
import ch.ethz.mlmq.log_analyzer.source.Place;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The interval histograms of all client JVMs, added up by tag. That is exact: the counts of a histogram add, whereas
 * percentiles do not.
 *
 * @param byTag one for each operation; service times of open load end in {@code :service}
 */
public record IntervalHistograms(Map<String, Histogram> byTag) {
    private static final int DIGITS = 3;
    private static final int LONGEST_LINE = 1 << 20;
    private static final int MOST_TAGS = 1000;
    /** Limit of intervals: more than those of a day; a larger number is no accident. */
    private static final int MOST_INTERVALS = 3_000_000;
    private static final int MOST_DAMAGED = 1000;
    private static final String SERVICE = ":service";
    /** Prefix of the same requests' actions in performance logs. */
    private static final String ACTION = "CSndReq#OK#";
    private static final Pattern TIME = Pattern.compile("#\\[(StartTime|BaseTime): ([0-9.]{1,30}) .*");
    private static final String TAG = "Tag=";
    private static final Pattern OTHER_PHASE = Pattern.compile("^(warmup|cooldown):");
    /** Part of a log's first line that announces phases. */
    private static final String TELLS_PHASES = "warmup: and cooldown:";
    /** Start, length, longest value, and the histogram. */
    private static final int CELLS = 4;
    private static final double A_YEAR_SECONDS = 365 * 24 * 3600.0;
    private static final double MS_PER_SECOND = 1000;

    /**
     * @param phase    the phase of the intended start. If a log does not tell phases, or its JVM measured another one,
     * only intervals whose middle lies in it count. Empty for all
     * @param prefixes of the actions that count; none for all
     */
    public static IntervalHistograms of(Run run, Optional<TimeRange> phase, List<String> prefixes) throws IOException {
        IntervalHistograms sums = new IntervalHistograms(new TreeMap<>());
        Map<String, TimeRange> measured = new TreeMap<>();
        run.summaries().forEach(summary -> summary.measured().ifPresent(own -> measured.put(summary.place().jvm(),
                own)));
        for (StoredFile file : run.histograms()) {
            Optional<TimeRange> own = Optional.ofNullable(measured.get(Place.of(file.name(), "").jvm()));
            boolean measuring = phase.isPresent() && own.isPresent() && areAbout(phase.get(), own.get());
            sums.add(run, file, measuring, phase, prefixes);
        }
        return sums;
    }

    /** Compares phases with a tolerance, because JVMs start together only within some milliseconds. */
    private static boolean areAbout(TimeRange one, TimeRange other) {
        return Math.abs(one.fromMs() - other.fromMs()) < MS_PER_SECOND
                && Math.abs(one.toMs() - other.toMs()) < MS_PER_SECOND;
    }

    private void add(Run run, StoredFile file, boolean measuring, Optional<TimeRange> phase, List<String> prefixes)
            throws IOException {
        Map<String, Double> times = new TreeMap<>();
        boolean[] tells = new boolean[1];
        int[] damaged = new int[1];
        int[] left = {MOST_INTERVALS};
        run.complain(file, Lines.read(file, LONGEST_LINE, line -> {
            tells[0] |= line.startsWith("#") && line.contains(TELLS_PHASES);
            Matcher time = TIME.matcher(line);
            if (time.matches()) {
                times.put(time.group(1), seconds(time.group(2)));
            } else if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("\"")) {
                try {
                    addInterval(line, times, measuring && tells[0], phase, prefixes);
                } catch (IllegalArgumentException | IndexOutOfBoundsException | NegativeArraySizeException
                        | DataFormatException | java.nio.BufferUnderflowException e) {
                    damaged[0]++;
                }
            }
            return damaged[0] < MOST_DAMAGED && --left[0] > 0;
        }));
        run.complain(file, left[0] > 0 ? Optional.empty() : Optional.of("it has more than " + MOST_INTERVALS
                + " lines"));
        run.complain(file, damaged[0] == 0 ? Optional.empty() : Optional.of(damaged[0]
                + " of its intervals are damaged"));
    }

    /** Reads a line like HdrHistogram's own reader, which would stop at the first damaged line. */
    private void addInterval(String line, Map<String, Double> times, boolean byTag, Optional<TimeRange> phase,
            List<String> prefixes) throws DataFormatException {
        boolean tagged = line.startsWith(TAG);
        String told = tagged ? line.substring(TAG.length(), Math.max(TAG.length(), line.indexOf(','))) : "all";
        String[] cells = (tagged ? line.substring(line.indexOf(',') + 1) : line).split(",", CELLS);
        double from = seconds(cells[0]);
        double base = times.getOrDefault("BaseTime", from < times.getOrDefault("StartTime", from) - A_YEAR_SECONDS
                ? times.get("StartTime") : 0);
        double middle = (base + from + seconds(cells[1]) / 2) * MS_PER_SECOND;
        String tag = OTHER_PHASE.matcher(told).replaceFirst("");
        boolean wanted = byTag ? tag.equals(told) : phase.isEmpty() || phase.get().contains(middle);
        if (wanted && (prefixes.isEmpty() || prefixes.stream().anyMatch((ACTION + tag)::startsWith))) {
            Histogram interval = Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(cells[CELLS - 1])), 0);
            if (this.byTag.size() < MOST_TAGS || this.byTag.containsKey(tag)) {
                this.byTag.computeIfAbsent(tag, unseen -> new Histogram(DIGITS)).add(interval);
            }
        }
    }

    private static double seconds(String text) {
        double seconds = Double.parseDouble(text);
        if (!Double.isFinite(seconds)) {
            throw new NumberFormatException(text);
        }
        return seconds;
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
}
