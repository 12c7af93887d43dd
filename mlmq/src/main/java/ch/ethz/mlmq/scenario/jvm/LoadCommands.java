package ch.ethz.mlmq.scenario.jvm;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.scenario.engine.LoadException;
import ch.ethz.mlmq.scenario.engine.LoadRun;
import ch.ethz.mlmq.scenario.pacing.Pace;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.LoadGrammars;
import ch.ethz.mlmq.steering.CommandRefusedException;
import ch.ethz.mlmq.steering.Commands;
import java.nio.file.Path;
import java.util.List;

/** Commands that steer a running load. */
final class LoadCommands {
    private final LoadRun run;

    private LoadCommands(LoadRun run) {
        this.run = run;
    }

    /** @return the commands of every JVM, and {@code start, next, pause, resume, rate, clients} */
    static Commands of(LoadRun run, Path logs) {
        LoadCommands commands = new LoadCommands(run);
        return Commands.common(run::shutDown, run::status, logs)
                .with("start", commands::start)
                .with("next", commands::next)
                .withPlain("pause", () -> done(run.pause(), "paused"))
                .withPlain("resume", () -> done(run.resume(), "resumed"))
                .with("rate", commands::rate)
                .with("clients", commands::clients);
    }

    private String start(List<String> words) throws CommandRefusedException {
        long utcMillis = parse(Grammar.wholeNumber(0, Long.MAX_VALUE), words, "start <ms UTC>");
        return run.start(utcMillis).orElseThrow(() -> new CommandRefusedException(
                "the start is already set; the command start needs " + ClientKeys.START_AT.name() + "=command"));
    }

    private String next(List<String> words) throws CommandRefusedException {
        String usage = "next PHASE, or next PHASE <ms UTC>";
        if (words.isEmpty() || words.size() > 2) {
            throw new CommandRefusedException("write " + usage);
        }
        int number = parse(Grammar.integer(1, Integer.MAX_VALUE), words.subList(0, 1), usage);
        long utcMillis = words.size() == 1 ? System.currentTimeMillis()
                : parse(Grammar.wholeNumber(0, Long.MAX_VALUE), words.subList(1, 2), usage);
        if (!run.endPart(number, utcMillis)) {
            throw new CommandRefusedException("phase " + number + " of " + ClientKeys.LOAD.name()
                    + " is not at work, or has no until");
        }
        return "phase " + number + " ends";
    }

    private String rate(List<String> words) throws CommandRefusedException {
        String usage = "rate 100/s, or rate 100/s to 2000/s over 10min";
        String text = words.size() == 1 && words.get(0).matches("[0-9.]+") ? words.get(0) + "/s"
                : String.join(" ", words);
        if (!(parse(LoadGrammars.pace(), List.of(text), usage) instanceof Pace.Open pace)) {
            throw new CommandRefusedException("write " + usage);
        }
        if (!run.rate(pace.rate())) {
            throw new CommandRefusedException("the load has no rate to change: it is closed, or has not started");
        }
        return "rate " + text;
    }

    private String clients(List<String> words) throws CommandRefusedException {
        int wanted = parse(Grammar.integer(1, ClientKeys.MOST_CLIENTS), words, "clients N");
        try {
            return run.clients(wanted) + " clients take part";
        } catch (LoadException e) {
            throw new CommandRefusedException(e.getMessage());
        }
    }

    private static String done(boolean done, String text) throws CommandRefusedException {
        if (!done) {
            throw new CommandRefusedException("the load has not started yet");
        }
        return text;
    }

    private static <T> T parse(Grammar<T> grammar, List<String> words, String usage) throws CommandRefusedException {
        if (words.size() != 1) {
            throw new CommandRefusedException("write " + usage);
        }
        try {
            return grammar.parse(words.get(0));
        } catch (IllegalArgumentException e) {
            throw new CommandRefusedException("write " + usage + ": " + e.getMessage());
        }
    }
}
