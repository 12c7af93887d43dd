package ch.ethz.mlmq.broker.limits;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;

/**
 * Times for which a broker waits for a client [ns]; 0 for no limit.
 *
 * @param register  for a request of a connection that has not registered
 * @param write     for a client to read its responses
 * @param keepAlive for a sign of life, if the client has agreed to send one
 * @param idle      for a request, if the client has not agreed to send signs of life
 */
public record TimeLimits(long register, long write, long keepAlive, long idle) {
    static TimeLimits of(Settings settings) {
        return new TimeLimits(settings.get(BrokerKeys.REGISTER_TIMEOUT).toNanos(),
                settings.get(BrokerKeys.WRITE_TIMEOUT).toNanos(), settings.get(BrokerKeys.KEEP_ALIVE).toNanos(),
                settings.get(BrokerKeys.IDLE_TIMEOUT).toNanos());
    }
}
