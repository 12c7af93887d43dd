package ch.ethz.mlmq.campaign;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** The measurements of a soak, minute by minute, and a comparison of its last quarter with the first. */
final class SoakFigures {
    private static final int DIGITS = 3;
    private static final double TOLERANCE = 1.10;
    /** Sizes of processes and tables move by themselves; growth beyond this between the quarters is a leak. */
    private static final double GROWTH = 1.5;
    /** Growth below this [bytes] is due to pages and rounding: an index of ten pages instead of five is no leak. */
    private static final long SMALL = 1 << 20;

    private final Recorder sends = new Recorder(DIGITS);
    private final Recorder controls = new Recorder(DIGITS);
    private final List<Histogram> minutes = new ArrayList<>();
    private final List<Histogram> controlMinutes = new ArrayList<>();
    private final List<SoakProbe.Holding> holdings = new ArrayList<>();

    /** Records a delay. Any thread may call this. @param nanos from the time when it was due [ns] */
    void sent(long nanos) {
        sends.recordValue(Math.max(1, nanos));
    }

    /** The same for a row that is committed without a broker. */
    void controlled(long nanos) {
        controls.recordValue(Math.max(1, nanos));
    }

    /** @return the minute's figures, for people */
    String endMinute(SoakProbe probe) throws IOException, SQLException {
        Histogram minute = sends.getIntervalHistogram();
        SoakProbe.Holding now = probe.holding();
        Histogram control = controls.getIntervalHistogram();
        minutes.add(minute);
        controlMinutes.add(control);
        holdings.add(now);
        return String.format(Locale.ROOT,
                "p50 %.2f ms p99 %.2f ms (control %.2f %.2f), heap %.1f MB connections %.1f MB "
                + "resident %.0f MB files %d threads %d, messages %.1f MB indexes %.1f MB other tables %.1f MB",
                millis(minute, 50), millis(minute, 99), millis(control, 50), millis(control, 99), megabytes(now.heap()),
                megabytes(now.memory()), megabytes(now.resident()), now.files(), now.threads(), megabytes(now.table()),
                megabytes(now.indexes()), megabytes(now.others()));
    }

    /** Compares the last quarter with the first one. @return whether it holds */
    boolean summarize(PrintStream out) {
        int quarter = minutes.size() / 4;
        if (quarter == 0) {
            out.println("too short to compare its quarters: it takes four minutes at least");
            return true;
        }
        double sent = lastVersusFirst(out, "p99", minutes, quarter);
        double control = lastVersusFirst(out, "control_p99", controlMinutes, quarter);
        out.printf(Locale.ROOT, "ratio p99_last_vs_first_to_control %.2f%n", sent / control);
        // The machine may be slower in the last quarter, and the control then shows that.
        boolean holds = Math.min(sent, sent / control) <= TOLERANCE;
        holds &= grows(out, "heap", SMALL, SoakProbe.Holding::heap);
        holds &= grows(out, "connections", SMALL, SoakProbe.Holding::memory);
        holds &= grows(out, "resident", SMALL, SoakProbe.Holding::resident);
        holds &= grows(out, "files", 0, SoakProbe.Holding::files);
        holds &= grows(out, "threads", 0, SoakProbe.Holding::threads);
        holds &= grows(out, "message_table", SMALL, SoakProbe.Holding::table);
        holds &= grows(out, "message_indexes", SMALL, SoakProbe.Holding::indexes);
        holds &= grows(out, "other_tables", SMALL, SoakProbe.Holding::others);
        return holds;
    }

    private static double lastVersusFirst(PrintStream out, String name, List<Histogram> all, int quarter) {
        double first = millis(merged(all.subList(0, quarter)), 99);
        double last = millis(merged(all.subList(all.size() - quarter, all.size())), 99);
        out.printf(Locale.ROOT, "%s first quarter %.2f ms, last quarter %.2f ms%n", name, first, last);
        out.printf(Locale.ROOT, "ratio %s_last_vs_first %.2f%n", name, last / first);
        return last / first;
    }

    private boolean grows(PrintStream out, String name, long small, ToLongFunction<SoakProbe.Holding> what) {
        int quarter = holdings.size() / 4;
        double first = median(holdings.subList(0, quarter), what);
        double last = median(holdings.subList(holdings.size() - quarter, holdings.size()), what);
        double ratio = first == 0 ? 1 : last / first;
        out.printf(Locale.ROOT, "ratio %s_last_vs_first %.2f%n", name, ratio);
        return ratio <= GROWTH || last - first <= small;
    }

    private static double median(List<SoakProbe.Holding> some, ToLongFunction<SoakProbe.Holding> what) {
        long[] sorted = some.stream().mapToLong(what).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static Histogram merged(List<Histogram> some) {
        Histogram all = new Histogram(DIGITS);
        some.forEach(all::add);
        return all;
    }

    private static double millis(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e6;
    }

    private static double megabytes(long bytes) {
        return bytes / (double) (1 << 20);
    }
}
