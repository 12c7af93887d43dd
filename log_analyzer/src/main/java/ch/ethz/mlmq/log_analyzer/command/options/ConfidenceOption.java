package ch.ethz.mlmq.log_analyzer.command.options;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import picocli.CommandLine.Option;

/** Confidence level of the intervals, for the commands that print some. */
public final class ConfidenceOption {
    private static final double PER_CENT = 100;

    @Option(names = "-confidence", paramLabel = "PERCENT", description = "Level of the intervals. Default: 95.")
    private double percent = 95;

    /** @return 0..1 */
    public double level() {
        if (!(percent > 0 && percent < PER_CENT)) {
            throw new UsageException("-confidence must lie between 0 and 100 per cent, e.g. 95.");
        }
        return percent / PER_CENT;
    }
}
