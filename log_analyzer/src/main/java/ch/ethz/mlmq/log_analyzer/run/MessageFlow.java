package ch.ethz.mlmq.log_analyzer.run;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The messages that all clients of a run sent and received. The backlog is what they sent and did not receive yet.
 *
 * @param sent     counters of each client JVM
 * @param received likewise
 */
public record MessageFlow(List<JvmSeries> sent, List<JvmSeries> received) {
    private static final double MS_PER_SECOND = 1000;
    private static final long SECOND = 1000;

    /** @return the counters of the gauges files */
    public static MessageFlow of(Run run) throws IOException {
        return new MessageFlow(JvmSeries.gauges(run, "sent"::equals), JvmSeries.gauges(run, "received"::equals));
    }

    /** Adds the rates of a time [ms since 1970], and the backlog at its end; nothing if nothing was sent. */
    public void addTo(Map<String, Double> figures, long fromMs, long toMs) {
        if (at(sent, toMs) > 0) {
            double seconds = (toMs - fromMs) / MS_PER_SECOND;
            figures.put("sent [1/s]", (at(sent, toMs) - at(sent, fromMs)) / seconds);
            figures.put("received [1/s]", (at(received, toMs) - at(received, fromMs)) / seconds);
            figures.put("backlog [messages]", backlog(toMs));
        }
    }

    /**
     * @param phases of the load, in order
     * @return the highest backlog behind the first phase, and the time until it is as low as it was in that phase;
     * empty if it does not exceed this
     */
    public Optional<String> backlog(List<RunStep> phases) {
        if (phases.size() < 2 || at(sent, phases.get(phases.size() - 1).phase().toMs()) == 0) {
            return Optional.empty();
        }
        TimeRange first = phases.get(0).phase();
        long end = phases.get(phases.size() - 1).phase().toMs();
        double before = backlog(highest(first.fromMs(), first.toMs()));
        long highest = highest(first.toMs(), end);
        if (backlog(highest) <= before) {
            return Optional.empty();
        }
        long drained = highest;
        while (drained < end && backlog(drained) > before) {
            drained = Math.min(end, drained + SECOND);
        }
        String then = backlog(drained) <= before ? "%2$d s later it was at most %3$,d again, as in the first phase."
                : "In the end it was %4$,d; in the first phase it was at most %3$,d.";
        return Optional.of(String.format(Locale.ROOT, "Highest backlog: %1$,d messages, %5$d s after the first phase "
                + "began. " + then, Math.round(backlog(highest)), (drained - highest) / SECOND, Math.round(before),
                Math.round(backlog(end)), (highest - first.fromMs()) / SECOND));
    }

    private long highest(long fromMs, long toMs) {
        long highest = fromMs;
        for (long ms = fromMs; ms <= toMs; ms += SECOND) {
            highest = backlog(ms) > backlog(highest) ? ms : highest;
        }
        return highest;
    }

    private double backlog(long ms) {
        return Math.max(0, at(sent, ms) - at(received, ms));
    }

    private static double at(List<JvmSeries> counters, long ms) {
        return counters.stream().mapToDouble(each -> each.at(ms)).sum();
    }
}
