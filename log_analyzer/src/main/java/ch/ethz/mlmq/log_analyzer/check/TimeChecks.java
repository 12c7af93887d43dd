package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Whether the steady part is without gaps, and steady. */
final class TimeChecks {
    private static final long GAP_WORTH_A_WORD_MS = 1_000;
    private static final double MOST_GAP = 0.05;
    private static final double MOST_CUT = 0.1;
    private static final long SHORTEST_MS = 10_000;

    private final Measurements measured;
    private final SteadyState state;

    TimeChecks(Measurements measured) {
        this.measured = measured;
        this.state = SteadyState.of(measured);
    }

    List<Finding> findings() {
        return new ArrayList<>(List.of(gaps(), steady()));
    }

    private Finding gaps() {
        long gap = state.longestGapMs();
        if (gap < GAP_WORTH_A_WORD_MS) {
            return Finding.good("No gap in time", "never more than %s ms without an answer", Math.max(gap, state.series().slotMs()));
        }
        String text = seconds(gap) + " without any answer";
        return gap > MOST_GAP * measured.steadyMs() ? Finding.rejected("No gap in time", "%s", text)
                : Finding.warning("No gap in time", "%s", text);
    }

    private Finding steady() {
        String topic = "Steady state";
        if (measured.steadyMs() < SHORTEST_MS) {
            return Finding.unknown(topic, "%s is too short to tell", seconds(measured.steadyMs()));
        }
        OptionalLong cut = state.furtherCutMs();
        if (cut.isEmpty()) {
            return Finding.rejected(topic, "response time or throughput still change past the middle of the steady part (MSER-5)");
        }
        return cut.getAsLong() > MOST_CUT * measured.steadyMs()
                ? Finding.warning(topic, "MSER-5 would cut %s more of the beginning", seconds(cut.getAsLong()))
                : Finding.good(topic, "MSER-5 would cut %s more of %s", seconds(cut.getAsLong()), seconds(measured.steadyMs()));
    }

    private static String seconds(long ms) {
        return Figures.rounded(ms / 1000.0, 1) + " s";
    }
}
