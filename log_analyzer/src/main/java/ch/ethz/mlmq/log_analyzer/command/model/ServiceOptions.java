package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.waiting.DiscreteLaw;
import ch.ethz.mlmq.log_analyzer.model.waiting.Law;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Options for the distribution of a service time. */
final class ServiceOptions {
    private static final int MOST_TIMES = 10_000;
    private static final double ROUNDING = 1e-6;

    @Option(names = {"--service", "-service"}, paramLabel = "TIME[:P,…]",
            description = "Mean service time, e.g. 80us; or service times with their probabilities, e.g. "
                    + "100us:0.9,2ms:0.1.")
    private String service;

    @Option(names = {"--cv", "-cv"}, paramLabel = "C", split = ",",
            description = "Coefficients of variation of the service time: 0 constant, 1 exponential. Default: 1.")
    private List<String> cvs = List.of();

    boolean areGiven() {
        return service != null;
    }

    void check() {
        if (!cvs.isEmpty() && (service == null || service.contains(":"))) {
            throw new UsageException(service == null ? "--cv needs --service."
                    : "--cv needs one --service time: a discrete distribution has its own variation.");
        }
    }

    /** @return coefficients of variation; empty if --service is a discrete distribution */
    List<Double> cvs() {
        if (service.contains(":")) {
            return List.of();
        }
        return cvs.isEmpty() ? List.of(1.0)
                : OptionValues.numbers("--cv", cvs);
    }

    /** @param cv is without effect on a discrete distribution */
    Law law(double cv) {
        return service.contains(":") ? discrete()
                : Law.gamma(OptionValues.positive("--service", OptionValues.seconds("--service", service)), cv);
    }

    private Law discrete() {
        Map<Double, Double> shares = new TreeMap<>();
        double sum = 0;
        for (String part : service.split(",", -1)) {
            String[] pair = part.strip().split(":", -1);
            if (pair.length != 2) {
                throw new UsageException("--service: '%s' is not a time with its probability, such as 100us:0.9."
                        .formatted(part));
            }
            double share = OptionValues.plain("--service", pair[1].strip());
            shares.merge(OptionValues.seconds("--service", pair[0].strip()), share, Double::sum);
            sum += share;
        }
        if (shares.size() > MOST_TIMES) {
            throw new UsageException("--service takes at most %d times.".formatted(MOST_TIMES));
        }
        if (Math.abs(sum - 1) > ROUNDING) {
            throw new UsageException("--service: the probabilities have the sum %s. It must be 1.".formatted(
                    (float) sum));
        }
        double all = sum;
        return new DiscreteLaw(shares.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
                shares.values().stream().mapToDouble(share -> share / all).toArray());
    }
}
