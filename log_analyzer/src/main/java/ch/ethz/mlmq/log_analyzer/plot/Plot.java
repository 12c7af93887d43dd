package ch.ethz.mlmq.log_analyzer.plot;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A picture of one run. */
public interface Plot {
    /** What of a run a picture is drawn from. */
    enum Need {
        /** Performance logs of clients: one line for each action. */
        ACTIONS,
        /** Performance logs of brokers: what they did with each request. */
        BROKER_LOGS,
        /** What brokers, or their database, were asked each few seconds: counters, gauges, messages in queues. */
        BROKER_STATISTICS,
        /** A load that changed while the run went on. */
        STEPS;

        /** @return as others call it: {@code broker_logs} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @return what {@code -kind} takes, and the name of its files */
    String name();

    /** @return all of which it needs; without them there is nothing to draw */
    Set<Need> needs();

    /** @return the picture, or empty where the run has no data for it */
    Optional<Chart> draw(PlottedRun run) throws IOException;
}
