package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The drivers on the class path. */
public final class Drivers {
    private static final Map<String, String> JARS =
            Map.of("amqp", "mlmq-driver-amqp.jar", "jms", "mlmq-driver-jms.jar");

    private Drivers() {
    }

    /** @return all of them */
    public static List<Driver> all() {
        return ServiceLoader.load(Driver.class, Driver.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get).toList();
    }

    /** @return the keys of all drivers, in the order of the template */
    public static List<Key<?>> keys() {
        return Stream.concat(DriverKeys.ALL.stream(), all().stream().flatMap(driver -> driver.ownKeys().stream()))
                .toList();
    }

    /** @throws ConfigurationException if there is none of that name; the message names the jar that has it */
    public static Driver named(String name) {
        List<Driver> all = all();
        return all.stream().filter(driver -> driver.name().equals(name)).findFirst().orElseThrow(() -> {
            String jar = JARS.get(name);
            return new ConfigurationException(DriverKeys.DRIVER.name() + "=" + name + ": " + (jar == null
                    ? "there is no such driver; this jar has " + String.join(", ",
                            all.stream().map(Driver::name).toList()) + ", and other jars have amqp and jms"
                    : "its jar is not on the class path; start java -cp mlmq.jar:" + jar
                            + " ch.ethz.mlmq.cli.Main"));
        });
    }
}
