package ch.ethz.mlmq.scenario.jvm;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Nearest;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.kinds.Alice;
import ch.ethz.mlmq.scenario.kinds.Echo;
import ch.ethz.mlmq.scenario.kinds.Fill;
import ch.ethz.mlmq.scenario.kinds.Larry;
import ch.ethz.mlmq.scenario.kinds.Mix;
import ch.ethz.mlmq.scenario.kinds.OneWayClient;
import ch.ethz.mlmq.scenario.kinds.Only;
import ch.ethz.mlmq.scenario.kinds.PairedClient;
import ch.ethz.mlmq.scenario.kinds.Publisher;
import ch.ethz.mlmq.scenario.kinds.QueueFiller;
import ch.ethz.mlmq.scenario.kinds.QueueTaker;
import ch.ethz.mlmq.scenario.kinds.Subscriber;
import ch.ethz.mlmq.scenario.kinds.TolaMaruja;
import ch.ethz.mlmq.scenario.kinds.Worker;
import java.util.List;
import java.util.stream.Stream;

/** All scenarios. A new one needs a class and a line here. */
public final class Scenarios {
    private static final List<Scenario> ALL = Stream.concat(
            Stream.of(OneWayClient.SCENARIO, PairedClient.SCENARIO, QueueFiller.PRODUCER, QueueTaker.CONSUMER,
                    Larry.SCENARIO, Alice.SCENARIO, QueueTaker.BOB, TolaMaruja.TOLA, TolaMaruja.MARUJA,
                    QueueFiller.CARL,
                    QueueTaker.RICK, Mix.SCENARIO, Mix.DATABASE_ONLY, Worker.SCENARIO, Echo.SCENARIO,
                    Fill.SCENARIO,
                    Publisher.SCENARIO, Subscriber.SCENARIO),
            Only.scenarios().stream()).toList();

    private Scenarios() {
    }

    /** @return all scenarios, in the order in which help lists them */
    public static List<Scenario> all() {
        return ALL;
    }

    /**
     * @param name as in a mapping or on the command line
     * @throws ConfigurationException if there is none; suggests the nearest
     */
    public static Scenario named(String name) {
        return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst()
                .orElseThrow(() -> new ConfigurationException("unknown scenario " + name + "; did you mean "
                        + Nearest.to(name, ALL.stream().map(Scenario::name).toList()) + "?"));
    }
}
