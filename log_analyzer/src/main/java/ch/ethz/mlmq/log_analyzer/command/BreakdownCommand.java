package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.analysis.MedianEstimate;
import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.command.options.TableOptions;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.report.BreakdownTable;
import ch.ethz.mlmq.log_analyzer.run.Run;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the breakdown of a request's time. */
@Command(name = "breakdown", sortOptions = false, description = {
    "Shows where the time of a request goes: the mean times of its stages, whose sum is the clients' mean.",
    "With -estimate it estimates the stages from three medians, as the study did."})
final class BreakdownCommand implements Callable<Integer> {
    @Mixin
    private LogOptions logs;

    @Mixin
    private TableOptions table;

    @Option(names = "-estimate", paramLabel = "CLIENT,MIDDLEWARE,DATABASE", split = ",",
            description = "Three medians in us, e.g. 6832,5467,5424. No logs are read.")
    private double[] medians;

    @Override
    public Integer call() throws IOException {
        if (medians != null) {
            if (medians.length != 3) {
                throw new UsageException("-estimate takes three medians: client,middleware,database.");
            }
            Breakdown estimate = new MedianEstimate(medians[0], medians[1], medians[2]).breakdown();
            table.write(BreakdownTable.of(List.of(estimate)), "Estimated from three medians.");
            return 0;
        }
        try (Run run = logs.open()) {
            List<Breakdown> breakdowns = Breakdown.of(run, logs.cut(run));
            if (breakdowns.isEmpty()) {
                throw new DataException(
                        "The measurement interval has neither a client's CSndReq#OK# nor a broker's BTotReqResp.");
            }
            table.write(BreakdownTable.of(breakdowns), "Measured stages; mean times in us.");
        }
        return 0;
    }
}
