package ch.ethz.mlmq.scenario.settings;

import ch.ethz.mlmq.config.Grammar;

/** When a load starts. */
public sealed interface StartAt {
    /** {@code ready}, {@code command}, or an instant [ms UTC]. */
    Grammar<StartAt> GRAMMAR = Grammar.of("ready | command | <ms UTC>", StartAt::parse);

    /** As soon as the clients of this JVM are ready. */
    record Ready() implements StartAt {
    }

    /** When the command file says {@code start <ms UTC>}. */
    record Command() implements StartAt {
    }

    /**
     * At an instant.
     *
     * @param utcMillis [ms UTC]
     */
    record Instant(long utcMillis) implements StartAt {
    }

    private static StartAt parse(String text) {
        return switch (text) {
            case "ready" -> new Ready();
            case "command" -> new Command();
            default -> {
                Grammar.require(text.matches("\\d{1,15}"), "must be ready, command or an instant in ms UTC");
                yield new Instant(Long.parseLong(text));
            }
        };
    }
}
