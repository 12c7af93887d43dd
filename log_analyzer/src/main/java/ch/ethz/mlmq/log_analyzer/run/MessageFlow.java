package ch.ethz.mlmq.log_analyzer.run;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * The messages that all clients of a run sent and received. The backlog is what they sent and did not receive yet. Of
 * a database that was filled before, they receive more than they send: a backlog is what is above the lowest level.
 *
 * @param sent     counters of each client JVM
 * @param received likewise
 * @param lowest   what had been received beyond all that was sent, at most, from a time on [ms since 1970; messages,
 *     below 0]
 * @param complete false if a client was killed: what it received and did not count would be taken for a backlog, so
 *     that none is told; nor if a client does not tell when its counters were read
 */
public record MessageFlow(List<JvmSeries> sent, List<JvmSeries> received, NavigableMap<Long, Double> lowest,
        boolean complete) {
    private static final double MS_PER_SECOND = 1000;
    private static final long SECOND = 1000;
    private static final long LOOK = 100; // ms; counters have a line a second, and rise evenly between them
    private static final double UNDER_WAY = 0.1; // of what is received in a second

    /** @return the counters of the gauges files */
    public static MessageFlow of(Run run) throws IOException {
        List<JvmSeries> sent = JvmSeries.gauges(run, "sent"::equals);
        List<JvmSeries> received = JvmSeries.gauges(run, "received"::equals);
        NavigableMap<Long, Double> lowest = new TreeMap<>();
        if (run.summaries().stream().anyMatch(ClientSummary::receivedFilling)) {
            List<double[]> longest = received.stream().map(JvmSeries::points).max(Comparator.comparingInt(List::size))
                    .orElse(List.of());
            for (double[] point : longest) {
                double level = at(sent, (long) point[0]) - at(received, (long) point[0]);
                if (level < (lowest.isEmpty() ? 0 : lowest.lastEntry().getValue())) {
                    lowest.put((long) point[0], level);
                }
            }
        }
        Set<String> timed = BrokerLoad.starts(run).keySet();
        return new MessageFlow(sent, received, lowest,
                (run.summaries().isEmpty() || run.clientsWithoutSummary().isEmpty())
                        && received.stream().allMatch(each -> timed.contains(each.place().jvm())));
    }

    /** Adds the rates of a time [ms since 1970], and its highest backlog; nothing if nothing was sent. */
    public void addTo(Map<String, Double> figures, long fromMs, long toMs) {
        if (at(sent, toMs) > 0) {
            double seconds = (toMs - fromMs) / MS_PER_SECOND;
            figures.put("sent [1/s]", (at(sent, toMs) - at(sent, fromMs)) / seconds);
            figures.put("received [1/s]", (at(received, toMs) - at(received, fromMs)) / seconds);
            highestBacklog(fromMs, toMs).ifPresent(backlog -> figures.put("backlog [messages]", backlog));
        }
    }

    /**
     * @return the highest backlog in a time [ms since 1970], second by second; empty if nothing was sent, or it is not
     * known
     */
    public OptionalDouble highestBacklog(long fromMs, long toMs) {
        return complete && at(sent, toMs) > 0 ? OptionalDouble.of(backlog(highest(fromMs, toMs)))
                : OptionalDouble.empty();
    }

    /**
     * Messages since the start of the load.
     *
     * @param sent     by all clients
     * @param received likewise
     */
    public record Count(double sent, double received) {
    }

    /** @return what was counted by a time [ms since 1970] */
    public Count countBy(long ms) {
        return new Count(at(sent, ms), at(received, ms));
    }

    /** @return what was counted by the end of a phase, as counters rose in it */
    public Count countByEndOf(TimeRange phase) {
        return new Count(sent.stream().mapToDouble(each -> each.atEndOf(phase)).sum(),
                received.stream().mapToDouble(each -> each.atEndOf(phase)).sum());
    }

    /** @return the backlog at the end of a phase, as counters rose in it; empty if nothing was sent, or not known */
    public OptionalDouble left(TimeRange phase) {
        Count count = countByEndOf(phase);
        return complete && count.sent > 0 ? OptionalDouble.of(backlog(count, phase.toMs())) : OptionalDouble.empty();
    }

    /**
     * @param before backlog at its begin
     * @return the highest backlog of a phase; empty if nothing was sent, or it is not known
     */
    public OptionalDouble highestBacklog(TimeRange phase, double before) {
        OptionalDouble left = left(phase);
        long last = phase.toMs() - SECOND;
        long first = Math.min(phase.fromMs() + SECOND, last);
        return left.isEmpty() ? left : OptionalDouble.of(Math.max(Math.max(before, left.getAsDouble()),
                first >= phase.fromMs() ? backlog(highest(first, last)) : 0));
    }

    /**
     * @param phases of the load, in order
     * @param fromMs end of the warm-up, whose backlog is not that of the first phase [ms since 1970]
     * @return empty if it is not known, there is only one, nothing was sent, or only the last one left messages, which
     * nothing follows
     */
    public Optional<Backlog> backlog(List<RunStep> phases, long fromMs) {
        if (!complete || phases.size() < 2 || at(sent, phases.get(phases.size() - 1).phase().toMs()) == 0) {
            return Optional.empty();
        }
        TimeRange first = phases.get(0).phase();
        long end = phases.get(phases.size() - 1).phase().toMs();
        // The second around its end tells of the next phase, too.
        long begin = Math.min(Math.max(first.fromMs(), fromMs), first.toMs());
        double before = backlog(highest(begin, Math.max(begin, first.toMs() - SECOND)));
        long highest = highest(first.toMs(), end);
        Optional<Long> left = phases.subList(0, phases.size() - 1).stream().map(step -> step.phase().toMs())
                .max(Comparator.comparingDouble(this::backlog)).filter(ms -> backlog(ms) > before);
        if (left.isEmpty() && backlog(end) > before) {
            return Optional.empty();
        }
        long since = left.orElse(highest);
        long until = since;
        while (until < end && !isDrained(until, before)) {
            until = Math.min(end, until + LOOK);
        }
        return Optional.of(new Backlog(before, backlog(highest), highest, since, until, backlog(until),
                isDrained(until, before)));
    }

    /** @return whether the backlog is as low as before, or nothing but what is received within a tenth of a second */
    private boolean isDrained(long ms, double before) {
        return backlog(ms) <= Math.max(before, UNDER_WAY * (at(received, ms) - at(received, ms - SECOND)));
    }

    /** @return a sentence about the backlog of these phases; empty if none was built up */
    public Optional<String> remark(List<RunStep> phases) {
        return backlog(phases, 0).filter(Backlog::isBuiltUp).map(found -> found.words(phases.get(0).phase().fromMs()));
    }

    private long highest(long fromMs, long toMs) {
        long highest = fromMs;
        for (long ms = fromMs; ms <= toMs; ms += SECOND) {
            highest = backlog(ms) > backlog(highest) ? ms : highest;
        }
        return highest;
    }

    private double backlog(long ms) {
        return backlog(countBy(ms), ms);
    }

    /** @return the backlog of what was counted by a time [ms since 1970] */
    public double backlog(Count count, long ms) {
        Map.Entry<Long, Double> before = lowest.floorEntry(ms);
        return Math.max(0, count.sent - count.received - (before == null ? 0 : before.getValue()));
    }

    private static double at(List<JvmSeries> counters, long ms) {
        return counters.stream().mapToDouble(each -> each.at(ms)).sum();
    }
}
