package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.Place;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What a client JVM said at its end. */
public record ClientSummary(Place place, Json json) {

    /** @return when it measured, empty where the summary does not tell */
    public Optional<Phase> measured() {
        OptionalDouble from = json.at("started_ms").number();
        OptionalDouble length = json.at("duration_s").number();
        return from.isEmpty() || length.isEmpty() ? Optional.empty() : Optional.of(
                new Phase((long) from.getAsDouble(), (long) (from.getAsDouble() + length.getAsDouble() * 1000)));
    }

    public double clients() {
        return json.at("clients").numberOr(0);
    }

    /** @return whether each client waits for an answer before it sends again */
    public boolean isClosed() {
        return json.at("planned_rate").isMissing();
    }

    public double ok() {
        return json.at("ok").numberOr(0);
    }

    public double late() {
        return json.at("late").numberOr(0);
    }

    /** @return number of errors by kind */
    public Map<String, Double> errors() {
        Map<String, Double> errors = new TreeMap<>();
        json.at("errors").members().forEach((kind, count) -> errors.put(kind, count.numberOr(0)));
        return errors;
    }
}
