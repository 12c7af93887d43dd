package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A figure of a run by which runs are told apart. */
public sealed interface Metric permits Metric.Throughput, Metric.Errors, Metric.Mean, Metric.Percentile,
        Metric.Cost {
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

    /** What the requests cost machines and JVMs. */
    record Cost(Resource resource) implements Metric {
        @Override
        public String name() {
            return resource.words();
        }

        @Override
        public String unit() {
            return resource.unit();
        }
    }

    /** @return what is told of each run where nobody asks for less */
    static List<Metric> all() {
        return Stream.concat(Stream.of("throughput", "mean", "median", "p95", "p99", "errors").map(Metric::named),
                Arrays.stream(Resource.values()).map(Cost::new)).toList();
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
            default -> Arrays.stream(Resource.values()).filter(resource -> resource.words().equals(name)).findFirst()
                    .map(Cost::new).orElseThrow(() -> new UsageException("'" + name
                            + "' is not a figure: throughput, errors, mean, median, p99 …, " + Arrays.stream(
                            Resource.values()).map(Resource::words).collect(Collectors.joining(", "))));
        };
    }
}
