package ch.ethz.mlmq.log_analyzer.command.options;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of several commands that select logs and a part of their time. */
public final class LogOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "-d", paramLabel = "DIR|ZIP|FILE",
            description = "Folder of logs with its sub-folders, zip of a run, or one log. Logs may be compressed "
                    + "(.gz).")
    private Path directory;

    @Option(names = "-from", paramLabel = "TIME", converter = TimeSpan.Converter.class,
            description = "Exclude requests that begin before this offset from the start of the load or, if it is "
                    + "unknown, of the first record.")
    private TimeSpan from;

    @Option(names = "-to", paramLabel = "TIME", converter = TimeSpan.Converter.class,
            description = "Exclude requests that end after this offset from the start.")
    private TimeSpan to;

    @Option(names = "-warmup", paramLabel = "TIME", converter = TimeSpan.Converter.class,
            description = "Warm-up to exclude. Default: that of the clients' summaries, or none.")
    private TimeSpan warmup;

    @Option(names = "-cooldown", paramLabel = "TIME", converter = TimeSpan.Converter.class,
            description = "Cool-down to exclude at the end. Default: that of the clients' summaries, or none.")
    private TimeSpan cooldown;

    /** @return true if logs were named */
    public boolean areGiven() {
        return directory != null;
    }

    /** @return the run; files that cannot be read are reported */
    public Run open() throws IOException {
        if (directory == null) {
            throw new UsageException("-d is missing: give a folder, zip or file to read. --help lists all options.");
        }
        return Run.open(directory, spec.commandLine().getErr()::println);
    }

    /** @return the requested cut; without warm-up and cool-down, the time in which all clients were measuring */
    public TimeSelection cut(Run run) throws IOException {
        if (from != null && to != null && from.ms() >= to.ms()) {
            throw new UsageException("-from must be before -to.");
        }
        boolean asked = from != null || to != null || warmup != null || cooldown != null;
        OptionalLong start = from == null && to == null ? OptionalLong.empty() : run.loadStartMs();
        return new TimeSelection(start, msOr(from, 0), msOr(to, TimeSelection.NO_END), msOr(warmup, 0),
                msOr(cooldown, 0), asked ? Optional.empty() : run.measuringPhase());
    }

    private static long msOr(TimeSpan span, long otherwise) {
        return span == null ? otherwise : span.ms();
    }
}
