package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.BrokerCosts;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for the cost of a message in a broker, for the commands that compute a capacity. */
final class CostOptions {
    @Option(names = {"--receive", "-receive"}, paramLabel = "TIME",
            description = "Time to receive a message, e.g. 48.8us (0.0000488, 4.88e-5 are seconds).")
    private String receive = "0";

    @Option(names = {"--filter", "-filter"}, paramLabel = "TIME",
            description = "Time to check one filter. Default: 0.")
    private String filter = "0";

    @Option(names = {"--send", "-send"}, paramLabel = "TIME",
            description = "Time to send one copy. Default: 0.")
    private String send = "0";

    @Option(names = {"--utilisation", "-utilisation"}, paramLabel = "SHARE",
            description = "Highest utilisation of a broker that is allowed. Default: 0.9.")
    private double utilisation = 0.9;

    @Option(names = {"--copies", "-copies"}, paramLabel = "R", split = ",",
            description = "Mean numbers of copies of a message, e.g. 1,2,5. Default: 1.")
    private List<String> copies = List.of("1");

    /** @return true if the cost of a message is known */
    boolean areGiven() {
        return OptionValues.seconds("--receive", receive) > 0;
    }

    BrokerCosts costs(String different, double exponent) {
        BrokerCosts costs = new BrokerCosts(OptionValues.seconds("--receive", receive),
                OptionValues.seconds("--filter", filter),
                OptionValues.seconds("--different", different), OptionValues.seconds("--send", send), exponent);
        if (!(costs.receive() > 0)) {
            throw new UsageException("--receive must be more than 0.");
        }
        return costs;
    }

    /** @return utilisation, 0..1; 1 is the saturated broker */
    double utilisation() {
        if (!(utilisation > 0 && utilisation <= 1)) {
            throw new UsageException("--utilisation must be more than 0 and at most 1.");
        }
        return utilisation;
    }

    List<Double> copies() {
        return OptionValues.numbers("--copies", copies);
    }
}
