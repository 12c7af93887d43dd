package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Nearest;
import ch.ethz.mlmq.scenario.kinds.OneWayClient;
import ch.ethz.mlmq.scenario.kinds.PublicQueueConsumer;
import ch.ethz.mlmq.scenario.kinds.PublicQueueProducer;
import java.util.List;

/** Every scenario there is. A new one is a class of its own and a line here. */
public final class Scenarios {
    private static final List<Scenario> ALL = List.of(OneWayClient.SCENARIO, PublicQueueProducer.SCENARIO,
            PublicQueueConsumer.SCENARIO);

    private Scenarios() {
    }

    /** @return all of them, in the order in which help lists them */
    public static List<Scenario> all() {
        return ALL;
    }

    /**
     * @param name as in a mapping or on the command line
     * @throws ConfigurationException where there is none; suggests the nearest
     */
    public static Scenario named(String name) {
        return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst()
                .orElseThrow(() -> new ConfigurationException("unknown scenario " + name + "; did you mean "
                        + Nearest.to(name, ALL.stream().map(Scenario::name).toList()) + "?"));
    }
}
