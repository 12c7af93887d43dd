package ch.ethz.mlmq.log_analyzer.command.model;

import static ch.ethz.mlmq.log_analyzer.table.JsonText.object;

import ch.ethz.mlmq.log_analyzer.model.measured.Prediction;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.network.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A prediction for programs; {@code docs/reference/models.md} describes each member. */
final class WhatIfJson {
    private static final double MS_PER_SECOND = 1000;
    private static final double US_PER_SECOND = 1e6;
    private static final double PER_CENT = 100;
    /** Largest number of points of a curve; a page draws no more. */
    private static final int MOST_POINTS = 120;

    private final WhatIf whatIf;
    private final List<Prediction.Point> points;
    private final boolean closed;
    private final Prediction.Point answer;
    private final RunStations was;
    private final RunStations asked;

    /**
     * @param points ascending; the last is the result @param closed true if they are numbers of clients, false if rates
     */
    WhatIfJson(WhatIf whatIf, List<Prediction.Point> points, boolean closed) {
        this.whatIf = whatIf;
        this.points = points;
        this.closed = closed;
        answer = points.get(points.size() - 1);
        was = whatIf.was();
        asked = whatIf.asked();
    }

    String text() throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("run", run());
        all.put("asked", question());
        all.put("confidence", whatIf.level());
        all.put("answer", point(answer));
        if (!whatIf.changes().isEmpty()) {
            putAsItWas(all);
        }
        all.put("not_measured", whatIf.changes());
        all.put("measured_to", was.load().clients());
        putWhatBinds(all);
        all.put("stations", stations());
        asked.batch().ifPresent(batch -> all.put("batch", batch(batch)));
        all.put("curve", curve(points));
        all.put("calibration", calibration());
        whatIf.notExplained().ifPresent(words -> all.put("not_explained", words));
        whatIf.batchNotTold().ifPresent(words -> all.put("batch_not_told", words));
        whatIf.processorsShort(points).ifPresent(words -> all.put("processors_short", words));
        List<String> remarks = new ArrayList<>(asked.remarks());
        remarks.add(whatIf.bindsInWords());
        remarks.addAll(whatIf.notMeasured(points, closed));
        all.put("remarks", remarks);
        return JsonText.of(all);
    }

    private Map<String, Object> run() {
        RunStations.Load load = was.load();
        Servers servers = was.servers();
        return object("name", whatIf.run(), "clients", load.clients(), "throughput", load.throughput(),
                "response_ms", load.response() * MS_PER_SECOND, "think_ms", load.think() * MS_PER_SECOND,
                "brokers", servers.brokers(), "workers", servers.workers(), "connections", servers.pool());
    }

    private Map<String, Object> question() {
        Servers servers = asked.servers();
        return object(nameOfLoad(), load(answer), "brokers", servers.brokers(), "workers", servers.workers(),
                "connections", servers.pool(), "database_faster", whatIf.faster(),
                "think_ms", asked.load().think() * MS_PER_SECOND);
    }

    private void putAsItWas(Map<String, Object> all) {
        List<Prediction.Point> same = whatIf.asItWas(points, closed);
        if (!same.isEmpty()) {
            Prediction.Point last = same.get(same.size() - 1);
            all.put("as_it_was", last.load() == answer.load() ? point(last) : null);
            all.put("curve_as_it_was", curve(same));
        }
    }

    private void putWhatBinds(Map<String, Object> all) {
        List<WhatIf.Part> parts = whatIf.parts();
        all.put("binds", binds(parts.get(0)));
        if (parts.size() > 1) {
            all.put("next", binds(parts.get(1)));
        }
        ClosedNetwork network = asked.closedNetwork();
        all.put("capacity", network.bottleneck().capacity());
        all.put("knee_clients", network.knee());
    }

    private List<Map<String, Object>> curve(List<Prediction.Point> whole) {
        return thinned(whole).stream().map(this::point).toList();
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

    private Map<String, Object> point(Prediction.Point point) {
        return object(nameOfLoad(), load(point), "throughput", figure(point.throughput(), 1),
                "response_ms", figure(point.response(), MS_PER_SECOND), "measured", whatIf.isMeasured(point, closed));
    }

    private String nameOfLoad() {
        return closed ? "clients" : "rate";
    }

    private Object load(Prediction.Point point) {
        return closed ? (Object) (int) point.load() : (Object) point.load();
    }

    private List<Map<String, Object>> stations() {
        double rate = answer.throughput().value();
        double[] then = was.busyThen();
        double thinking = asked.load().thinking();
        RunStations.Demands demands = asked.demands();
        Servers servers = asked.servers();
        String first = whatIf.parts().get(0).name();
        return List.of(
                object("name", "clients", "kind", "delay", "demand_ms", thinking * MS_PER_SECOND,
                        "requests", rate * thinking),
                object("name", "network", "kind", "delay", "demand_ms", demands.network() * MS_PER_SECOND,
                        "requests", rate * demands.network()),
                object("name", "workers", "kind", "queue", "servers", servers.workers() * servers.brokers(),
                        "demand_ms", demands.held() * MS_PER_SECOND, "utilisation", figure(answer.workers(), 1),
                        "measured_utilisation", then[0], "binds", first.equals("workers")),
                object("name", "connections", "kind", "queue", "servers", servers.pool() * servers.brokers(),
                        "demand_ms", demands.database() * MS_PER_SECOND,
                        "utilisation", figure(answer.connections(), 1), "measured_utilisation", then[1],
                        "binds", first.equals("connections")));
    }

    private static Map<String, Object> binds(WhatIf.Part part) {
        return object("station", part.name(), "servers", part.servers(), "demand_ms", part.demand() * MS_PER_SECOND,
                "capacity", part.capacity());
    }

    private Map<String, Object> batch(GroupCommit batch) {
        Map<String, Object> fixed = whatIf.fixed().map(each -> figure(each, US_PER_SECOND))
                .orElse(just(batch.fixed()));
        Map<String, Object> each = whatIf.each().map(found -> figure(found, US_PER_SECOND)).orElse(just(batch.each()));
        return object("fixed_us", fixed, "each_us", each, "most", batch.most(), "waiting", batch.waiting(),
                "told", whatIf.batchNotTold().isEmpty());
    }

    private Map<String, Object> calibration() {
        RunStations.Load load = was.load();
        RunStations.Itself itself = whatIf.itself();
        RunStations.Itself unfitted = whatIf.unfitted();
        return object("predicted", itself.throughput(), "measured", load.throughput(),
                "error_percent", PER_CENT * (itself.throughput() / load.throughput() - 1),
                "response_ms", object("predicted", itself.response() * MS_PER_SECOND,
                        "measured", load.response() * MS_PER_SECOND,
                        "error_percent", PER_CENT * (itself.response() / load.response() - 1)),
                "before_fit", object("throughput", unfitted.throughput(),
                        "error_percent", PER_CENT * whatIf.missOfThroughput(),
                        "response_ms", unfitted.response() * MS_PER_SECOND,
                        "response_error_percent", PER_CENT * whatIf.missOfResponse()));
    }

    /** Formats a given number [us], which has no interval. */
    private static Map<String, Object> just(double seconds) {
        return object("value", seconds * US_PER_SECOND, "low", seconds * US_PER_SECOND, "high",
                seconds * US_PER_SECOND);
    }

    private static Map<String, Object> figure(Prediction.Figure figure, double scale) {
        Interval interval = figure.interval();
        return object("value", figure.value() * scale, "low", interval.low() * scale, "high", interval.high() * scale);
    }
}
