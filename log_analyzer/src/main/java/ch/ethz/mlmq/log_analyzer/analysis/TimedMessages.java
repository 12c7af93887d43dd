package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.run.Run;
import java.io.IOException;

/**
 * The messages of a run's measuring phase that carry the intended start of their sending, by all summaries together.
 *
 * @param action begins the records of their times
 * @param told   those whose time is known
 * @param lost   those that never came so far
 */
record TimedMessages(String action, double told, double lost) {

    static TimedMessages of(Run run, Metric.Until until) throws IOException {
        double sent = 0;
        double received = 0;
        double leased = 0;
        double acknowledged = 0;
        for (ClientSummary summary : run.summaries()) {
            Json receipts = summary.json().at("e2e");
            Json acknowledgements = summary.json().at("ack");
            sent += receipts.at("sent").numberOr(0);
            received += receipts.at("count").numberOr(0);
            leased += acknowledgements.at("leased").numberOr(0);
            acknowledged += acknowledgements.at("count").numberOr(0);
        }
        return until == Metric.Until.RECEIPT ? new TimedMessages("CE2E#", received, sent - received)
                // Without a lease there is nothing to acknowledge.
                : new TimedMessages("CAck#", acknowledged, leased == 0 ? 0 : sent - received + leased - acknowledged);
    }

    /** A load that takes no messages, such as one of producers alone, has no end to measure to. */
    static boolean areMeasured(Run run) throws IOException {
        double ends = 0;
        double takes = 0;
        for (ClientSummary summary : run.summaries()) {
            Json messages = summary.json().at("e2e");
            ends += messages.at("sent").numberOr(0) + messages.at("count").numberOr(0);
            takes += summary.json().at("messages").at("takes").numberOr(0) + messages.at("count").numberOr(0);
        }
        return ends > 0 && takes > 0;
    }

    boolean any() {
        return told > 0 || lost > 0;
    }
}
