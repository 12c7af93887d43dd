package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The final summary of a client JVM. */
public record ClientSummary(Place place, Json json) {
    /** In the year 5138. */
    private static final double LATEST_MS = 1e14;
    private static final double LONGEST_MS = 30 * 86_400_000.0;
    private static final long ROUNDED_MS = 1_000;

    /** @return when it measured; empty where the summary does not tell, or tells what cannot be */
    public Optional<TimeRange> measured() {
        double from = json.at("started_ms").numberOr(-1);
        double length = json.at("duration_s").numberOr(-1) * 1000;
        return from >= 0 && from <= LATEST_MS && length >= 0 && length <= LONGEST_MS
                ? Optional.of(new TimeRange((long) from, (long) (from + length))) : Optional.empty();
    }

    /** @return whether its load had phases by its plan */
    boolean hasPhases() {
        return !json.at("load").elements().isEmpty();
    }

    /** @return the phases of its load by its plan, in order; without those that cannot be */
    public List<LoadPhase> phases() {
        Optional<TimeRange> measured = measured();
        List<LoadPhase> phases = new ArrayList<>();
        long reached = measured.map(time -> time.fromMs() - ROUNDED_MS).orElse(0L);
        long end = measured.map(time -> time.toMs() + ROUNDED_MS).orElse(0L);
        for (Json part : json.at("load").elements()) {
            long from = (long) part.at("from_ms").numberOr(-1);
            long to = (long) part.at("to_ms").numberOr(-1);
            if (from >= reached && to >= from && to <= end) {
                phases.add(new LoadPhase(part.at("name").text().orElse(""), new TimeRange(from, to)));
                reached = to;
            }
        }
        return phases;
    }

    public double clients() {
        return json.at("clients").numberOr(0);
    }

    /** @return true if each client waits for a response before its next request */
    public boolean isClosed() {
        return json.at("planned_rate").isMissing();
    }

    public double ok() {
        return json.at("ok").numberOr(0);
    }

    public double late() {
        return json.at("late").numberOr(0);
    }

    /** @return whether it received messages of the database's initial filling */
    boolean receivedFilling() {
        return json.at("received_filling").numberOr(0) > 0;
    }

    /** @return number of errors by kind */
    public Map<String, Double> errors() {
        Map<String, Double> errors = new TreeMap<>();
        json.at("errors").members().forEach((kind, count) -> errors.put(kind, count.numberOr(0)));
        return errors;
    }
}
