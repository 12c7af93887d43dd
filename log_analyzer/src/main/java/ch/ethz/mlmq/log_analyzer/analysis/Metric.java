package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A figure of a run by which runs are told apart. */
public sealed interface Metric permits Metric.Throughput, Metric.Errors, Metric.Mean, Metric.Percentile {
    Pattern PERCENTILE = Pattern.compile("p(\\d{1,2}(?:\\.\\d+)?)");

    /** @return as it is written, such as {@code p99} */
    String name();

    /** @return unit of the value */
    String unit();

    /** @return whether more is better */
    default boolean higherIsBetter() {
        return false;
    }

    /** Successful requests. */
    record Throughput() implements Metric {
        @Override
        public String name() {
            return "throughput";
        }

        @Override
        public String unit() {
            return "1/s";
        }

        @Override
        public boolean higherIsBetter() {
            return true;
        }
    }

    /** Share of requests that failed. */
    record Errors() implements Metric {
        @Override
        public String name() {
            return "errors";
        }

        @Override
        public String unit() {
            return "%";
        }
    }

    /** Mean duration. */
    record Mean() implements Metric {
        @Override
        public String name() {
            return "mean";
        }

        @Override
        public String unit() {
            return "us";
        }
    }

    /** A percentile of the durations, 0..100. */
    record Percentile(double percent) implements Metric {
        private static final double MEDIAN = 50;

        @Override
        public String name() {
            return percent == MEDIAN ? "median" : "p" + (percent == Math.rint(percent) ? Long.toString((long) percent)
                    : Double.toString(percent));
        }

        @Override
        public String unit() {
            return "us";
        }
    }

    static Metric named(String name) {
        Matcher percentile = PERCENTILE.matcher(name);
        if (percentile.matches()) {
            return new Percentile(Double.parseDouble(percentile.group(1)));
        }
        return switch (name) {
            case "throughput" -> new Throughput();
            case "errors" -> new Errors();
            case "mean" -> new Mean();
            case "median" -> new Percentile(50);
            default -> throw new UsageException("'" + name
                    + "' is not a figure: throughput, errors, mean, median, p99 …");
        };
    }
}
