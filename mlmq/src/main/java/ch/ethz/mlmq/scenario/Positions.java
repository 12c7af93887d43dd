package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ScenarioMapping.Place;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.List;
import java.util.stream.IntStream;

/** Positions of a scenario's JVMs among the client JVMs of a run. */
public final class Positions {
    private Positions() {
    }

    /** @return those whose clients exchange messages with this JVM's, in order, from 0; itself included */
    public static List<Integer> of(String scenario, Settings settings) {
        if (settings.get(ClientKeys.PAIRING) == ClientKeys.Pairing.OWN) {
            return List.of(settings.get(CommonKeys.MY_POSITION));
        }
        List<Place> places = settings.get(CommonKeys.CLIENTS).places();
        return IntStream.range(0, places.size()).filter(position -> places.get(position).scenario().equals(scenario))
                .boxed().toList();
    }
}
