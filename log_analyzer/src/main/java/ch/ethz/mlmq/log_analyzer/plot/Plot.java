package ch.ethz.mlmq.log_analyzer.plot;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A chart of one run. */
public interface Plot {
    /** Data of a run that a chart is drawn from. */
    enum Need {
        /** Performance logs of clients contain one line for each action. */
        ACTIONS,
        /** Performance logs of brokers contain the stages of requests. */
        BROKER_LOGS,
        /** Counters, gauges and queue lengths, which brokers or their database report every few seconds. */
        BROKER_STATISTICS,
        /** The load changes during the run. */
        STEPS;

        /** @return its word for other programs: {@code broker_logs} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @return the value of {@code -kind}, and the name of its files */
    String name();

    /** @return data without which there is nothing to draw */
    Set<Need> needs();

    /** @return the chart, or empty if the run has no data for it */
    Optional<Chart> draw(PlottedRun run) throws IOException;
}
