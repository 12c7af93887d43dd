package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.Steadiness;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Checks whether the measurement interval has no gaps and is steady. */
final class TimeChecks {
    private static final double CHANGE_WORTH_A_WORD = 0.05;
    /** Share of the time above which silence is reported; shorter silence does not move the medians. */
    private static final double SILENCE_WORTH_A_WORD = 0.05;
    private static final long SHORTEST_MS = 10_000;

    private final Run run;
    private final Measurements measured;
    private final SteadyState state;

    TimeChecks(Run run, Measurements measured) {
        this.run = run;
        this.measured = measured;
        this.state = SteadyState.of(measured);
    }

    List<Finding> findings() throws IOException {
        List<Finding> findings = new ArrayList<>(List.of(gaps(), steady()));
        Steadiness.of(run, new TimeRange(measured.steadyFromMs(), measured.steadyToMs())).ifPresent(queue ->
                findings.add(queue.isSteady() ? Finding.good(Topic.QUEUE_STEADY, "%s", queue.words())
                        : Finding.warning(Topic.QUEUE_STEADY, "the queue grows: %s", queue.words())));
        return findings;
    }

    private Finding gaps() {
        long gap = state.longestGapMs();
        if (gap < Topic.NO_GAP.warning()) {
            return Finding.good(Topic.NO_GAP, "never more than %s ms without a response", Math.max(gap,
                    state.series().slotMs()));
        }
        String text = seconds(gap) + " without any response";
        return Finding.warning(Topic.NO_GAP, "%s", text);
    }

    private Finding steady() {
        Topic topic = Topic.STEADY_STATE;
        if (measured.steadyMs() < SHORTEST_MS) {
            return Finding.unknown(topic, "%s is too short for this check", seconds(measured.steadyMs()));
        }
        double change = state.changeBetweenHalves();
        OptionalLong cut = state.furtherCutMs();
        String halves = Double.isFinite(change) ? "response time or throughput changes by "
                + Figures.rounded(change * 100, 1) + " % from the first half to the second"
                : "no request planned in a half was answered";
        String text = halves + "; MSER-5 " + (cut.isEmpty() ? "finds no end of the warm-up"
                : "would cut " + (cut.getAsLong() == 0 ? "nothing" : seconds(cut.getAsLong()) + " of the beginning"));
        if (!(Math.abs(change) <= topic.rejected())) {
            // A stall of the system under test is a result, as its silence is; a drift means that it was not in its
            // steady state.
            double drift = state.driftBetweenHalves();
            if (state.silentShare() > SILENCE_WORTH_A_WORD) {
                return Finding.warning(topic, "%s; there was no response for %s of %s%s", text, seconds(Math.round(
                        state.silentShare() * measured.steadyMs())), seconds(measured.steadyMs()), Double.isNaN(drift)
                                ? "" : ", the rest changes by " + Figures.rounded(drift * 100, 1) + " %");
            }
            return !(Math.abs(drift) <= topic.rejected()) ? Finding.rejected(topic, "%s", text)
                    : Finding.warning(topic, "%s; medians of parts change by %s %%", text,
                            Figures.rounded(drift * 100, 1));
        }
        return Math.abs(change) > CHANGE_WORTH_A_WORD ? Finding.warning(topic, "%s", text)
                : Finding.good(topic, "%s", text);
    }

    private static String seconds(long ms) {
        return Figures.rounded(ms / 1000.0, 1) + " s";
    }
}
