package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ScenarioMapping.Place;
import ch.ethz.mlmq.config.Settings;
import java.util.List;
import java.util.stream.IntStream;

/** Positions of a scenario's JVMs among the client JVMs of a run. */
public final class Positions {
    private Positions() {
    }

    /** @return their positions in order, from 0 */
    public static List<Integer> of(String scenario, Settings settings) {
        List<Place> places = settings.get(CommonKeys.CLIENTS).places();
        return IntStream.range(0, places.size()).filter(position -> places.get(position).scenario().equals(scenario))
                .boxed().toList();
    }
}
