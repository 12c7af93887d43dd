package ch.ethz.mlmq.scenario.settings;

import ch.ethz.mlmq.config.Grammar;

/** The start of a load. */
public sealed interface StartAt permits StartAt.Ready, StartAt.Command, StartAt.Instant {
    /** The syntax: {@code ready}, {@code command}, or an instant [ms UTC]. */
    Grammar<StartAt> GRAMMAR = Grammar.of("ready | command | <ms UTC>", StartAt::parse);

    /** The load starts as soon as the clients of this JVM are ready. */
    record Ready() implements StartAt {
    }

    /** The load starts when the command file says {@code start <ms UTC>}. */
    record Command() implements StartAt {
    }

    /**
     * The load starts at an instant.
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
