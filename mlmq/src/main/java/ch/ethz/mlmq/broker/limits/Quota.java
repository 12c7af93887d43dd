package ch.ethz.mlmq.broker.limits;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;

/**
 * Limits of each user, or of each address; 0 for none.
 *
 * @param owner       {@code user} or {@code address}
 * @param connections open ones
 * @param bytes       of its waiting requests, begun frames and unread responses
 * @param requests    a second, for the storage
 */
public record Quota(String owner, int connections, long bytes, int requests) {
    /** @return the limits of each user */
    public static Quota ofUsers(Settings settings) {
        return new Quota("user", settings.get(BrokerKeys.USER_CONNECTIONS), settings.get(BrokerKeys.USER_BYTES),
                settings.get(BrokerKeys.USER_REQUESTS));
    }

    /** @return the limits of each address */
    public static Quota ofAddresses(Settings settings) {
        return new Quota("address", settings.get(BrokerKeys.ADDRESS_CONNECTIONS),
                settings.get(BrokerKeys.ADDRESS_BYTES), settings.get(BrokerKeys.ADDRESS_REQUESTS));
    }

    boolean isNone() {
        return connections == 0 && bytes == 0 && requests == 0;
    }

    String setting(String what, long value) {
        return "broker." + owner + "." + what + "=" + value;
    }
}
