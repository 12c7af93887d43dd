package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.MessageCounts;
import ch.ethz.mlmq.scenario.recording.Overdue;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import ch.ethz.mlmq.scenario.recording.TimeSummary;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;

/** The results of a load, written for a person. */
final class LoadReport {
    private static final double MICROS_PER_MILLI = 1e3;

    private LoadReport() {
    }

    static void print(RunSummary summary, PrintWriter out) {
        Counts counts = summary.recording().counts(Phase.MEASURING);
        out.printf(Locale.ROOT, "%s, %d clients, %.1f s%n", summary.who().scenario(), summary.who().clients(),
                summary.measuring().durationSeconds());
        out.printf(Locale.ROOT, "rate      %.1f/s%s%n", summary.rate(), summary.measuring().plannedRate() == null ? ""
                : String.format(Locale.ROOT, " of %.1f/s planned, %d late", summary.measuring().plannedRate(),
                counts.late()));
        MessageCounts messages = summary.recording().messages(Phase.MEASURING);
        out.printf(Locale.ROOT, "messages  %.1f/s sent, %.1f/s received%s%n", summary.perSecond(messages.sent()),
                summary.perSecond(messages.received()), messages.emptyTakes() == 0 ? ""
                : String.format(Locale.ROOT, ", %d takes found none", messages.emptyTakes()));
        print("response", summary.figures().response(), out);
        if (summary.measuring().plannedRate() != null) {
            print("service", summary.figures().service(), out);
        }
        summary.figures().operations().forEach((operation, times) -> out.printf(Locale.ROOT,
                "  %-26s %9d  p50 %.3f ms  p99 %.3f ms%n", operation, times.count(), times.p50() / MICROS_PER_MILLI,
                times.p99() / MICROS_PER_MILLI));
        Overdue overdue = summary.recording().overdue();
        out.println("errors    " + errors(counts, overdue));
        if (counts.started() == 0) {
            out.println("No request was started while measuring.");
        }
        if (summary.who().connected() == 0) {
            out.println("No client had a connection when measuring ended.");
        }
        if (overdue.unanswered() + overdue.failed() > 0) {
            out.printf(Locale.ROOT, "Of the requests of the warm-up, %d had no response when measuring ended and %d "
                    + "failed while measuring; the longest waited %.1f s.%n", overdue.unanswered(), overdue.failed(),
                    overdue.longestSeconds());
        }
        summary.jvm().verdict().clientWasTheBottleneck().ifPresent(reason ->
                out.println("The client was the bottleneck: " + reason + "."));
    }

    private static String errors(Counts counts, Overdue overdue) {
        if (!counts.errors().isEmpty()) {
            return counts.errors().entrySet().stream().map(error -> error.getKey() + " " + error.getValue())
                    .collect(Collectors.joining(", "));
        } else if (overdue.unanswered() + overdue.failed() > 0) {
            return "of requests of the warm-up only, see below";
        }
        return counts.started() == 0 ? "unknown" : "none";
    }

    private static void print(String name, TimeSummary times, PrintWriter out) {
        out.printf(Locale.ROOT, "%-9s p50 %.3f ms  p99 %.3f ms  mean %.3f ms  max %.3f ms%n", name,
                times.p50() / MICROS_PER_MILLI, times.p99() / MICROS_PER_MILLI, times.mean() / MICROS_PER_MILLI,
                times.max() / MICROS_PER_MILLI);
    }
}
