package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.model.measured.BatchTimes;
import ch.ethz.mlmq.log_analyzer.model.measured.MeasuredStations;
import ch.ethz.mlmq.log_analyzer.model.measured.Prediction;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The prediction for a system that differs from the run's. */
final class WhatIf {
    private static final double MS_PER_SECOND = 1000;
    private static final double US_PER_SECOND = 1e6;
    private static final double PER_CENT = 100;
    /** Largest part of the measured value that a fit may miss. */
    private static final double FITTED = 0.01;
    /**
     * Largest error of a model that explains a run before it is fitted (D. A. Menascé, V. A. F. Almeida, <i>Capacity
     * Planning for Web Services</i>, Prentice-Hall 2002: 10 % of the throughput, 20 % of the response time).
     */
    private static final double MOST_OFF = 0.1;
    private static final double MOST_OFF_RESPONSE = 0.2;

    private final String run;
    private final MeasuredStations measured;
    private final WhatIfOptions options;
    private final RunStations asked;
    private final boolean approximate;
    private final double level;
    private final RunStations.Itself itself;
    /** Prediction of the stations without a fit to the clients' measurements. */
    private final RunStations.Itself unfitted;
    /** Fixed time of a batch, with intervals; empty if the run has no batches, or others were requested. */
    private final Optional<Prediction.Figure> fixed;
    private final Optional<Prediction.Figure> each;

    /** A part of a broker that may be short. @param capacity of all its servers together [1/s] */
    record Part(String name, int servers, double demand, double capacity) {
    }

    WhatIf(String run, MeasuredStations measured, WhatIfOptions options, boolean approximate, double level) {
        this.run = run;
        this.measured = measured;
        this.options = options;
        this.asked = options.asked(was());
        this.approximate = approximate;
        this.level = level;
        itself = was().itself();
        unfitted = measured.measured().unfitted(was()).itself();
        Optional<GroupCommit> own = was().batch().filter(batch -> options.batch().isEmpty());
        fixed = own.map(batch -> prediction().ofBatch(GroupCommit::fixed));
        each = own.map(batch -> prediction().ofBatch(GroupCommit::each));
    }

    RunStations was() {
        return measured.stations();
    }

    RunStations asked() {
        return asked;
    }

    String run() {
        return run;
    }

    /** @return confidence level of the intervals, 0..1 */
    double level() {
        return level;
    }

    double faster() {
        return options.faster();
    }

    /** @return the differences of the requested system from the run's, in words */
    List<String> changes() {
        return options.changes(was());
    }

    RunStations.Itself itself() {
        return itself;
    }

    /** @return prediction of the stations for the run, without a fit to the clients' measurements */
    RunStations.Itself unfitted() {
        return unfitted;
    }

    /** @return fixed time of a batch, without its requests [s]; empty if the run has no batches */
    Optional<Prediction.Figure> fixed() {
        return fixed;
    }

    /** @return time of one more request in a batch [s]; empty likewise */
    Optional<Prediction.Figure> each() {
        return each;
    }

    Prediction prediction() {
        return new Prediction(measured, options::asked, approximate, level);
    }

    /** @return number of clients measured with this very system; 0 if it is another */
    int measuredTo() {
        return changes().isEmpty() ? was().load().clients() : 0;
    }

    boolean isMeasured(Prediction.Point point, boolean closed) {
        double most = closed ? was().load().clients() : was().load().throughput();
        return measuredTo() > 0 && point.load() <= most;
    }

    String bindsInWords() {
        List<Part> parts = parts();
        Part first = parts.get(0);
        if (asked.batch().isPresent()) {
            return "Its %d workers are the bottleneck, in batches of at most %d.".formatted(first.servers(),
                    asked.batch().get().most());
        }
        return "Its %d %s are the bottleneck, not its %d %s.".formatted(first.servers(), first.name(),
                parts.get(1).servers(), parts.get(1).name());
    }

    /** Describes the model's error for the run itself. */
    String calibrationInWords() {
        return ("For the run itself (%d clients) the model predicts %s /s and %s ms; measured were %s /s and %s ms: "
                + "%s and %s %% off. ")
                .formatted(was().load().clients(), Figures.forPeople(itself.throughput()),
                Figures.rounded(itself.response() * MS_PER_SECOND, 3), Figures.forPeople(was().load().throughput()),
                Figures.rounded(was().load().response() * MS_PER_SECOND, 3),
                Figures.rounded(PER_CENT * (itself.throughput() / was().load().throughput() - 1), 1),
                Figures.rounded(PER_CENT * (itself.response() / was().load().response() - 1), 1))
                        + "Before the fit it was %s and %s %% off.".formatted(
                Figures.rounded(PER_CENT * missOfThroughput(), 1), Figures.rounded(PER_CENT * missOfResponse(), 1));
    }

    /** @return a remark if the stations do not explain the run, with the error; empty if they do */
    Optional<String> notExplained() {
        double off = Math.max(Math.abs(itself.throughput() / was().load().throughput() - 1),
                Math.abs(itself.response() / was().load().response() - 1));
        if (off < FITTED && Math.abs(missOfThroughput()) <= MOST_OFF
                && Math.abs(missOfResponse()) <= MOST_OFF_RESPONSE) {
            return Optional.empty();
        }
        return Optional.of(("The model does not explain this run: from the times of the stations it predicts %s /s "
                + "and %s ms, %s and %s %% off the measured.").formatted(Figures.forPeople(unfitted.throughput()),
                Figures.rounded(unfitted.response() * MS_PER_SECOND, 3),
                Figures.rounded(PER_CENT * missOfThroughput(), 1), Figures.rounded(PER_CENT * missOfResponse(), 1))
                + (off < FITTED ? " It was fitted to the measured figures; predictions of other loads may be as far "
                + "off."
                        : " It cannot be fitted to the measured figures either."));
    }

    double missOfThroughput() {
        return unfitted.throughput() / was().load().throughput() - 1;
    }

    double missOfResponse() {
        return unfitted.response() / was().load().response() - 1;
    }

    /** @return a remark if the run does not determine a batch's time; empty if it does, or has no batches */
    Optional<String> batchNotTold() {
        if (each.isEmpty() || isTold(fixed.get()) && isTold(each.get())) {
            return Optional.empty();
        }
        Prediction.Figure untold = isTold(each.get()) ? fixed.get() : each.get();
        Optional<BatchTimes.Fit> fit = measured.batches().fit();
        return Optional.of(("This run does not determine the cost of %s: it is %s to %s us. Nine in ten batches had "
                + "%s requests. The capacity and other numbers of clients depend on it. Take a run with fewer or "
                + "more clients, or give a and b of several runs with --batch a,b.").formatted(
                isTold(each.get()) ? "a batch itself" : "one more request in a batch",
                Figures.plain(untold.interval().low() * US_PER_SECOND),
                Figures.plain(untold.interval().high() * US_PER_SECOND),
                fit.map(BatchTimes.Fit::sizes).map(WhatIf::inWords).orElse("an unknown number of")));
    }

    private static String inWords(BatchTimes.Sizes sizes) {
        return sizes.low() == sizes.high() ? Integer.toString(sizes.low()) : sizes.low() + " to " + sizes.high();
    }

    /** @return a remark if processors would be short at the highest of these rates; empty otherwise */
    Optional<String> processorsShort(List<Prediction.Point> points) {
        return measured.processorsShort(points.stream().mapToDouble(point -> point.throughput().value()).max()
                .orElseThrow(), asked.servers().brokers());
    }

    /**
     * @return false if the coefficient is at its bound, or its interval reaches it: it may be anything down to nothing
     */
    private static boolean isTold(Prediction.Figure coefficient) {
        return coefficient.interval().low() > 0;
    }

    /** @return why the prediction is beyond measurements; empty if it is within them */
    List<String> notMeasured(List<Prediction.Point> points, boolean closed) {
        List<String> reasons = new ArrayList<>();
        if (points.stream().allMatch(point -> isMeasured(point, closed))) {
            return reasons;
        }
        List<String> changes = changes();
        reasons.add(("Beyond: not measured%s. The prediction holds if a request costs each station as much as with "
                + "%d clients.")
                .formatted(changes.isEmpty() ? "" : " (" + String.join(", ", changes) + ")", was().load().clients()));
        if (asked.servers().brokers() > was().servers().brokers()) {
            reasons.add("The database of all brokers may be the bottleneck before they are; model simulate "
                    + "--databases includes it.");
        }
        return reasons;
    }

    /** @return predictions for the run's own system under the same loads, as far as it can carry them */
    List<Prediction.Point> asItWas(List<Prediction.Point> points, boolean closed) {
        Prediction same = new Prediction(measured, stations -> stations, approximate, level);
        double capacity = was().closedNetwork().bottleneck().capacity();
        List<Double> loads = points.stream().map(Prediction.Point::load).filter(load -> closed || load < capacity)
                .toList();
        if (loads.isEmpty()) {
            return List.of();
        }
        return closed ? same.closed(loads.stream().map(Double::intValue).toList()) : same.open(loads);
    }

    /** @return the parts of the brokers that may be short, the shortest first */
    List<Part> parts() {
        Servers servers = asked.servers();
        RunStations.Demands demands = asked.demands();
        if (asked.batch().isPresent()) {
            GroupCommit batch = asked.batch().get();
            return List.of(new Part(servers.pool() < servers.workers() ? "connections" : "workers", servers.holders(),
                    batch.fixed() + batch.each(), asked.closedNetwork().bottleneck().capacity()));
        }
        List<Part> parts = new ArrayList<>();
        parts.add(new Part("workers", servers.workers(), demands.held(),
                servers.brokers() * servers.workers() / demands.held()));
        parts.add(new Part("connections", servers.pool(), demands.database(),
                servers.brokers() * servers.pool() / Math.max(Double.MIN_NORMAL, demands.database())));
        parts.sort(Comparator.comparingDouble(Part::capacity));
        return parts;
    }
}
