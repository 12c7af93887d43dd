package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import ch.ethz.mlmq.log_analyzer.vocabulary.Figure;
import ch.ethz.mlmq.log_analyzer.vocabulary.Judge;
import java.util.Arrays;
import java.util.List;

/** A figure by which runs are compared. */
public sealed interface Metric permits Metric.Throughput, Metric.Errors, Metric.Mean, Metric.Percentile,
        Metric.EndToEnd, Metric.OfSeconds {
    String ERRORS = "errors";

    /** @return its name, such as {@code p99} */
    String name();

    /** @return unit of the value */
    default String unit() {
        return figure(name()).dimension().base();
    }

    /** @return which values are better */
    default Figure.Better better() {
        return figure(name()).better();
    }

    /** @return true of a figure of requests, which every run has */
    default boolean isOfRequests() {
        return !(this instanceof OfSeconds || this instanceof EndToEnd);
    }

    /** @return why an infinite value has no interval */
    default Doubt beyond() {
        return Doubt.FAILED;
    }

    /** The rate of successful requests. */
    record Throughput() implements Metric {
        @Override
        public String name() {
            return "throughput";
        }
    }

    /** The share of requests that failed. */
    record Errors() implements Metric {
        @Override
        public String name() {
            return ERRORS;
        }
    }

    /** The mean duration. */
    record Mean() implements Metric {
        @Override
        public String name() {
            return "mean";
        }
    }

    /** A percentile of the durations. @param percent 0..100 */
    record Percentile(double percent) implements Metric {
        private static final double MEDIAN = 50;

        @Override
        public String name() {
            return percent == MEDIAN ? "median" : words();
        }

        private String words() {
            return "p" + (percent == Math.rint(percent) ? Long.toString((long) percent) : Double.toString(percent));
        }
    }

    /** The moment to which a message is timed. */
    enum Until {
        RECEIPT("end_to_end", "e2e"), ACKNOWLEDGEMENT("acknowledged", "ack");

        private final String of;
        private final String prefix;

        Until(String of, String prefix) {
            this.of = of;
            this.prefix = prefix;
        }
    }

    /** A percentile of the times from the intended start of a message's sending. */
    record EndToEnd(Until until, Percentile percentile) implements Metric {
        @Override
        public String name() {
            return until.prefix + "_" + percentile.words();
        }
    }

    /** A figure of each second. It is infinite if a backlog did not drain, or response times stayed high. */
    record OfSeconds(Sampled figure) implements Metric {
        @Override
        public String name() {
            return figure.words();
        }

        @Override
        public Doubt beyond() {
            return figure == Sampled.RECOVERY ? Doubt.NOT_RECOVERED : Doubt.NOT_DRAINED;
        }
    }

    /** @return the figures of each run by default */
    static List<Metric> all() {
        return Figure.of(Judge.COMPARISON).stream().map(figure -> named(figure.name())).toList();
    }

    static Metric named(String name) {
        Figure figure = figure(name);
        return switch (figure.of()) {
            case "throughput" -> new Throughput();
            case "mean" -> new Mean();
            case "percentile" -> new Percentile(figure.percent());
            case "end_to_end", "acknowledged" -> new EndToEnd(Arrays.stream(Until.values())
                    .filter(until -> until.of.equals(figure.of())).findFirst().orElseThrow(),
                    new Percentile(figure.percent()));
            default -> figure.name().equals(ERRORS) ? new Errors() : new OfSeconds(Sampled.named(figure.name()));
        };
    }

    private static Figure figure(String name) {
        return Figure.named(name).filter(figure -> figure.known().contains(Judge.COMPARISON)).orElseThrow(() ->
                new UsageException("'" + name + "' is not a figure: " + Figure.names(Judge.COMPARISON)));
    }
}
