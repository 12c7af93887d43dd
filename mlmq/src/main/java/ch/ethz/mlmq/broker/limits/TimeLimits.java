package ch.ethz.mlmq.broker.limits;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;

/**
 * How long a broker waits for a connection's other end [ns]; 0 where there is no limit.
 *
 * @param register  for a request, as long as nobody has registered
 * @param write     for unread answers to be taken
 * @param keepAlive for a sign of life, where one was promised
 * @param idle      for a request, where no sign of life was promised
 */
public record TimeLimits(long register, long write, long keepAlive, long idle) {
    static TimeLimits of(Settings settings) {
        return new TimeLimits(settings.get(BrokerKeys.REGISTER_TIMEOUT).toNanos(),
                settings.get(BrokerKeys.WRITE_TIMEOUT).toNanos(), settings.get(BrokerKeys.KEEP_ALIVE).toNanos(),
                settings.get(BrokerKeys.IDLE_TIMEOUT).toNanos());
    }
}
