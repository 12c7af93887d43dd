package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.model.measured.BatchTimes;
import ch.ethz.mlmq.log_analyzer.model.measured.MeasuredStations;
import ch.ethz.mlmq.log_analyzer.model.measured.Prediction;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.network.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer to what another system than the run's would do; {@code docs/models.md} tells each member of the JSON. */
final class WhatIf {
    private static final double MS_PER_SECOND = 1000;
    private static final double US_PER_SECOND = 1e6;
    private static final double PER_CENT = 100;
    /** Of what was measured; more is no fit. */
    private static final double FITTED = 0.01;
    /**
     * What a model that explains a run misses it by at most, before it is fitted (D. A. Menascé, V. A. F. Almeida,
     * <i>Capacity Planning for Web Services</i>, Prentice-Hall 2002: 10 % of the throughput, 20 % of the response
     * time).
     */
    private static final double MOST_OFF = 0.1;
    private static final double MOST_OFF_RESPONSE = 0.2;
    /** Of a curve in JSON: a page draws no more. */
    private static final int MOST_POINTS = 120;

    private final String run;
    private final MeasuredStations measured;
    private final WhatIfOptions options;
    private final RunStations asked;
    private final boolean approximate;
    private final double level;
    private final RunStations.Itself itself;
    /** What the stations expect with nothing fitted to what the clients saw. */
    private final RunStations.Itself unfitted;
    /** What a batch takes, with intervals; null where the run has none of its own, or others were asked for. */
    private final Prediction.Figure fixed;
    private final Prediction.Figure each;

    /** What of a broker may be short. @param capacity of all of them together [1/s] */
    private record Part(String name, int servers, double demand, double capacity) {
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
        boolean ownBatch = was().batch().isPresent() && options.batch().isEmpty();
        fixed = ownBatch ? prediction().ofBatch(GroupCommit::fixed) : null;
        each = ownBatch ? prediction().ofBatch(GroupCommit::each) : null;
    }

    RunStations was() {
        return measured.stations();
    }

    RunStations asked() {
        return asked;
    }

    Prediction prediction() {
        return new Prediction(measured, options::asked, approximate, level);
    }

    /** @return so many clients were measured with this very system; 0 where it is another */
    int measuredTo() {
        return options.changes(was()).isEmpty() ? was().clients() : 0;
    }

    boolean isMeasured(Prediction.Point point, boolean closed) {
        return measuredTo() > 0 && (closed ? point.load() <= was().clients() : point.load() <= was().throughput());
    }

    String bindsInWords() {
        List<Part> parts = parts(asked);
        Part first = parts.get(0);
        if (asked.batch().isPresent()) {
            return "Its %d workers bind, in batches of at most %d.".formatted(Math.min(asked.workers(), asked.pool()),
                    asked.batch().get().most());
        }
        return "Its %d %s bind, not its %d %s.".formatted(first.servers(), first.name(), parts.get(1).servers(),
                parts.get(1).name());
    }

    /** What the model says of the run itself. */
    String calibrationInWords() {
        return "Of the run itself (%d clients) the model says %s /s and %s ms, measured %s /s and %s ms: %s and %s %%. "
                .formatted(was().clients(), Figures.forPeople(itself.throughput()),
                Figures.rounded(itself.response() * MS_PER_SECOND, 3), Figures.forPeople(was().throughput()),
                Figures.rounded(was().response() * MS_PER_SECOND, 3),
                Figures.rounded(PER_CENT * (itself.throughput() / was().throughput() - 1), 1),
                Figures.rounded(PER_CENT * (itself.response() / was().response() - 1), 1))
                + "Before it was fitted to that: %s and %s %%.".formatted(
                Figures.rounded(PER_CENT * missOfThroughput(), 1), Figures.rounded(PER_CENT * missOfResponse(), 1));
    }

    /** @return that the stations do not account for the run, and by how much; empty where they do */
    Optional<String> notExplained() {
        double off = Math.max(Math.abs(itself.throughput() / was().throughput() - 1),
                Math.abs(itself.response() / was().response() - 1));
        if (off < FITTED && Math.abs(missOfThroughput()) <= MOST_OFF
                && Math.abs(missOfResponse()) <= MOST_OFF_RESPONSE) {
            return Optional.empty();
        }
        return Optional.of(("The model does not explain this run: from what the stations took it expects %s /s and "
                + "%s ms, %s and %s %% off what was measured.").formatted(Figures.forPeople(unfitted.throughput()),
                Figures.rounded(unfitted.response() * MS_PER_SECOND, 3),
                Figures.rounded(PER_CENT * missOfThroughput(), 1), Figures.rounded(PER_CENT * missOfResponse(), 1))
                + (off < FITTED ? " It was fitted to them; other loads may be as far off."
                : " Nor can it be fitted to them."));
    }

    private double missOfThroughput() {
        return unfitted.throughput() / was().throughput() - 1;
    }

    private double missOfResponse() {
        return unfitted.response() / was().response() - 1;
    }

    /** @return that the run does not tell what a batch takes; empty where it does, or has none of its own */
    Optional<String> batchNotTold() {
        if (each == null || isTold(fixed) && isTold(each)) {
            return Optional.empty();
        }
        Optional<BatchTimes.Fit> fit = measured.batches().fit();
        return Optional.of(("Not told by this run: what %s costs, %s to %s us. Nine in ten of its batches had %s "
                + "requests. Capacity and other numbers of clients rest on it. Missing are batches of other sizes: ask "
                + "a run of fewer or of more clients, or take a and b from several by --batch a,b.").formatted(
                isTold(each) ? "a batch beside its requests" : "one more request in a batch",
                Figures.plain((isTold(each) ? fixed : each).interval().low() * US_PER_SECOND),
                Figures.plain((isTold(each) ? fixed : each).interval().high() * US_PER_SECOND),
                fit.map(found -> found.low() == found.high() ? "" + found.low() : found.low() + " to " + found.high())
                        .orElse("an unknown number of")));
    }

    /** @return that processors would be short at the highest of these rates; empty where they would not */
    Optional<String> processorsShort(List<Prediction.Point> points) {
        return measured.processorsShort(points.stream().mapToDouble(point -> point.throughput().value()).max()
                .orElseThrow(), asked.brokers());
    }

    /** At its bound, or with an interval that reaches it, it is anything down to nothing. */
    private static boolean isTold(Prediction.Figure coefficient) {
        return coefficient.interval().low() > 0;
    }

    /** @return why the answer is no measurement; empty where it is within what was measured */
    List<String> notMeasured(List<Prediction.Point> points, boolean closed) {
        List<String> reasons = new ArrayList<>();
        if (points.stream().allMatch(point -> isMeasured(point, closed))) {
            return reasons;
        }
        List<String> changes = options.changes(was());
        reasons.add("Beyond: not measured%s. It holds while a request costs each station what it cost with %d clients."
                .formatted(changes.isEmpty() ? "" : " (" + String.join(", ", changes) + ")", was().clients()));
        if (asked.brokers() > was().brokers()) {
            reasons.add("One database behind all brokers may bind before they do; model simulate --databases has it.");
        }
        return reasons;
    }

    /** @param points ascending; the last is the answer */
    String json(List<Prediction.Point> points, boolean closed) throws IOException {
        Prediction.Point answer = points.get(points.size() - 1);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("run", object("name", run, "clients", was().clients(), "throughput", was().throughput(),
                "response_ms", was().response() * MS_PER_SECOND, "think_ms", was().think() * MS_PER_SECOND, "brokers",
                was().brokers(), "workers", was().workers(), "connections", was().pool()));
        all.put("asked", object(closed ? "clients" : "rate", closed ? (Object) (int) answer.load() : answer.load(),
                "brokers", asked.brokers(), "workers", asked.workers(), "connections", asked.pool(), "database_faster",
                options.faster(), "think_ms", asked.think() * MS_PER_SECOND));
        all.put("confidence", level);
        all.put("answer", point(answer, closed));
        if (!options.changes(was()).isEmpty()) {
            List<Prediction.Point> same = asItWas(points, closed);
            if (!same.isEmpty()) {
                Prediction.Point last = same.get(same.size() - 1);
                all.put("as_it_was", last.load() == answer.load() ? point(last, closed) : null);
                all.put("curve_as_it_was", thinned(same).stream().map(point -> point(point, closed)).toList());
            }
        }
        all.put("not_measured", options.changes(was()));
        all.put("measured_to", was().clients());
        List<Part> parts = parts(asked);
        all.put("binds", binds(parts.get(0)));
        if (parts.size() > 1) {
            all.put("next", binds(parts.get(1)));
        }
        ClosedNetwork network = asked.closedNetwork();
        all.put("capacity", network.bottleneck().capacity());
        all.put("knee_clients", network.knee());
        all.put("stations", stations(answer));
        asked.batch().ifPresent(batch -> all.put("batch", object("fixed_us", each == null
                ? just(batch.fixed()) : figure(fixed, US_PER_SECOND), "each_us", each == null ? just(batch.each())
                : figure(each, US_PER_SECOND), "most", batch.most(), "waiting", batch.waiting(), "told",
                batchNotTold().isEmpty())));
        all.put("curve", thinned(points).stream().map(point -> point(point, closed)).toList());
        all.put("calibration", calibration());
        notExplained().ifPresent(words -> all.put("not_explained", words));
        batchNotTold().ifPresent(words -> all.put("batch_not_told", words));
        processorsShort(points).ifPresent(words -> all.put("processors_short", words));
        List<String> remarks = new ArrayList<>(asked.remarks());
        remarks.add(bindsInWords());
        remarks.addAll(notMeasured(points, closed));
        all.put("remarks", remarks);
        return JsonText.of(all);
    }

    /** @return the run's own system under the same loads, as far as it bears them */
    private List<Prediction.Point> asItWas(List<Prediction.Point> points, boolean closed) {
        Prediction same = new Prediction(measured, stations -> stations, approximate, level);
        double capacity = was().closedNetwork().bottleneck().capacity();
        List<Double> loads = points.stream().map(Prediction.Point::load).filter(load -> closed || load < capacity)
                .toList();
        return loads.isEmpty() ? List.of() : closed ? same.closed(loads.stream().map(Double::intValue).toList())
                : same.open(loads);
    }

    private static List<Prediction.Point> thinned(List<Prediction.Point> points) {
        List<Prediction.Point> thinned = new ArrayList<>();
        double step = Math.max(1, (points.size() - 1.0) / (MOST_POINTS - 1));
        for (double at = 0; at < points.size() - 0.5; at += step) {
            thinned.add(points.get((int) Math.round(at)));
        }
        if (thinned.get(thinned.size() - 1) != points.get(points.size() - 1)) {
            thinned.add(points.get(points.size() - 1));
        }
        return thinned;
    }

    private Map<String, Object> point(Prediction.Point point, boolean closed) {
        return object(closed ? "clients" : "rate", closed ? (Object) (int) point.load() : point.load(), "throughput",
                figure(point.throughput(), 1), "response_ms", figure(point.response(), MS_PER_SECOND), "measured",
                isMeasured(point, closed));
    }

    private List<Map<String, Object>> stations(Prediction.Point answer) {
        double rate = answer.throughput().value();
        double[] then = was().busyThen();
        List<Map<String, Object>> stations = new ArrayList<>();
        String first = parts(asked).get(0).name();
        stations.add(object("name", "clients", "kind", "delay", "demand_ms", asked.thinking() * MS_PER_SECOND,
                "requests", rate * asked.thinking()));
        stations.add(object("name", "network", "kind", "delay", "demand_ms", asked.network() * MS_PER_SECOND,
                "requests", rate * asked.network()));
        stations.add(object("name", "workers", "kind", "queue", "servers", asked.workers() * asked.brokers(),
                "demand_ms", (asked.worker() + asked.database()) * MS_PER_SECOND, "utilisation",
                figure(answer.workers(), 1), "measured_utilisation", then[0], "binds", first.equals("workers")));
        stations.add(object("name", "connections", "kind", "queue", "servers", asked.pool() * asked.brokers(),
                "demand_ms", asked.database() * MS_PER_SECOND, "utilisation", figure(answer.connections(), 1),
                "measured_utilisation", then[1], "binds", first.equals("connections")));
        return stations;
    }

    /** @return what of the brokers may be short, the shortest first */
    private static List<Part> parts(RunStations stations) {
        List<Part> parts = new ArrayList<>();
        double capacity = stations.closedNetwork().bottleneck().capacity();
        if (stations.batch().isPresent()) {
            boolean pool = stations.pool() < stations.workers();
            parts.add(new Part(pool ? "connections" : "workers", Math.min(stations.workers(), stations.pool()),
                    stations.batch().get().fixed() + stations.batch().get().each(), capacity));
            return parts;
        }
        double held = stations.worker() + stations.database();
        parts.add(new Part("workers", stations.workers(), held, stations.brokers() * stations.workers() / held));
        parts.add(new Part("connections", stations.pool(), stations.database(),
                stations.brokers() * stations.pool() / Math.max(Double.MIN_NORMAL, stations.database())));
        parts.sort(Comparator.comparingDouble(Part::capacity));
        return parts;
    }

    private static Map<String, Object> binds(Part part) {
        return object("station", part.name(), "servers", part.servers(), "demand_ms", part.demand() * MS_PER_SECOND,
                "capacity", part.capacity());
    }

    private Map<String, Object> calibration() {
        return object("predicted", itself.throughput(), "measured", was().throughput(), "error_percent",
                PER_CENT * (itself.throughput() / was().throughput() - 1), "response_ms", object("predicted",
                itself.response() * MS_PER_SECOND, "measured", was().response() * MS_PER_SECOND, "error_percent",
                PER_CENT * (itself.response() / was().response() - 1)), "before_fit", object("throughput",
                unfitted.throughput(), "error_percent", PER_CENT * missOfThroughput(), "response_ms",
                unfitted.response() * MS_PER_SECOND, "response_error_percent", PER_CENT * missOfResponse()));
    }

    /** What was asked for, in us, has no interval. */
    private static Map<String, Object> just(double seconds) {
        return object("value", seconds * US_PER_SECOND, "low", seconds * US_PER_SECOND, "high",
                seconds * US_PER_SECOND);
    }

    private static Map<String, Object> figure(Prediction.Figure figure, double scale) {
        Interval interval = figure.interval();
        return object("value", figure.value() * scale, "low", interval.low() * scale, "high", interval.high() * scale);
    }

    private static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        return object;
    }
}
