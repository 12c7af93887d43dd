package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.Units;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of a message that is sent or published. */
final class Outgoing {
    @Option(names = "--priority", paramLabel = "N", defaultValue = "5")
    private int priority;

    @Option(names = "--context", paramLabel = "N", defaultValue = "0")
    private long context;

    @Option(names = "--key", paramLabel = "KEY", defaultValue = "")
    private String key;

    @Option(names = "--property", paramLabel = "NAME=VALUE")
    private List<String> properties;

    @Option(names = "--delay", paramLabel = "TIME", converter = Time.class, description = "before it can be taken")
    private Duration delay;

    @Option(names = "--ttl", paramLabel = "TIME", converter = Time.class, description = "for which it can be taken")
    private Duration timeToLive;

    /** Converts a time such as {@code 10s}. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return Units.duration(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("\"" + text + "\" is not a time; write one such as 250ms, 10s or 2h");
            }
        }
    }

    int priority() {
        return priority;
    }

    /** @param receiver id of the only client that may take it; 0 for any. @throws UsageException if one is wrong */
    SendOptions options(int receiver) {
        SendOptions options = new SendOptions(receiver, context, key, PropertyWords.of(properties));
        try {
            SendOptions delayed = delay == null ? options : options.withDelay(delay.toMillis());
            return timeToLive == null ? delayed : delayed.withTimeToLive(timeToLive.toMillis());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new UsageException(e.getMessage());
        }
    }
}
