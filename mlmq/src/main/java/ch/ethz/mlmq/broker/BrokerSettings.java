package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.ScenarioMapping.Place;
import ch.ethz.mlmq.config.Settings;

/**
 * Position and listening address of a broker.
 *
 * @param scenario name of its group's scenario
 * @param position from 0 over all groups of brokers
 * @param host     address to listen on
 * @param port     port to listen on, or 0 for any free one
 */
public record BrokerSettings(String scenario, int position, String host, int port) {
    /** The only scenario of brokers. */
    public static final String SCENARIO = "Broker";

    /** @throws ConfigurationException if the mapping does not name this broker */
    public static BrokerSettings of(Settings settings) {
        int position = settings.get(CommonKeys.MY_POSITION);
        Place place = settings.get(CommonKeys.BROKERS).at(position, CommonKeys.BROKERS);
        if (!place.scenario().equals(SCENARIO)) {
            throw new ConfigurationException(CommonKeys.BROKERS.name() + ": unknown scenario " + place.scenario()
                    + " for a broker; there is " + SCENARIO);
        }
        int port = settings.get(BrokerKeys.PORT) != 0 ? settings.get(BrokerKeys.PORT) : place.port();
        if (port == 0) {
            throw new ConfigurationException(CommonKeys.BROKERS.name() + ": position " + position + " (" + place
                    + ") has no port, and " + BrokerKeys.PORT.name() + " is not set");
        }
        String address = settings.get(BrokerKeys.ADDRESS);
        return new BrokerSettings(place.scenario(), position, address.isEmpty() ? place.host() : address, port);
    }
}
