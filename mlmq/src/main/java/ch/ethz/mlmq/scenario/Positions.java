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

    /** @return number of clients of a scenario in all JVMs, with those that may join */
    public static int clients(String scenario, Settings settings) {
        return of(scenario, settings).size() * mostClients(settings);
    }

    /** @return the number of a client among those of its scenario in all JVMs, from 0 */
    public static int index(ClientId client, Settings settings) {
        return of(client.scenario(), settings).indexOf(client.position()) * mostClients(settings) + client.number();
    }

    private static int mostClients(Settings settings) {
        return settings.get(ClientKeys.STEPS).most(settings.get(ClientKeys.CLIENTS));
    }
}
