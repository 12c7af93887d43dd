package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import ch.ethz.mlmq.log_analyzer.analysis.Recovery;
import ch.ethz.mlmq.log_analyzer.analysis.RunFigures;
import ch.ethz.mlmq.log_analyzer.command.options.TableOptions;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.Backlog;
import ch.ethz.mlmq.log_analyzer.run.LoadPhase;
import ch.ethz.mlmq.log_analyzer.run.MessageFlow;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.RunStep;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the figures of each phase of a load. */
@Command(name = "phases", sortOptions = false, description = {
    "Prints the figures of each phase of a load, by its plan (the word load of a definition).",
    "Percentiles are of all requests that began in the phase. A failed request counts as longer than any other."})
final class PhasesCommand implements Callable<Integer> {
    private static final List<String> FIGURES = List.of("throughput", "sent", "received", "mean", "p99", "e2e_p99",
            "errors");
    private static final double MS_PER_SECOND = 1000;
    private static final double US_PER_MS = 1000;
    private static final long MOST_BETWEEN = 100; // ms

    @Parameters(paramLabel = "RUN", description = "A folder or zip of logs.")
    private Path path;

    @Option(names = "-type", paramLabel = "PREFIX", description = "Selects actions that begin with this. Default: "
            + "CSndReq#.")
    private List<String> types = List.of("CSndReq#");

    @Mixin
    private TableOptions table;

    @Override
    public Integer call() throws IOException {
        try (Run run = Run.open(path, table.complaints())) {
            if (!LoadPhase.areTold(run)) {
                throw new DataException(run.name() + " has no phases: its definition has no load, or no client JVM "
                        + "told its phases.");
            }
            table.write(of(run, LoadPhase.of(run)), "begin: since the start of the load. Times in us, rates in 1/s, "
                    + "errors in %. backlog: highest number of messages sent and not received; left: at the end of "
                    + "the phase. e2e_p99: at most, as messages that never came count in each phase. drain, recovery: "
                    + "how long after the end of the phase that disturbed the load.");
        }
        return 0;
    }

    private Table of(Run run, List<LoadPhase> phases) throws IOException {
        List<String> columns = new ArrayList<>(List.of("phase", "begin", "seconds"));
        columns.addAll(FIGURES);
        columns.addAll(List.of("backlog", "left", "drain", "recovery"));
        Table rows = new Table(columns);
        if (phases.isEmpty()) {
            return rows; // no client was in a phase together with the others
        }
        MessageFlow flow = MessageFlow.of(run);
        Recovery recovery = Recovery.of(run, types);
        Optional<Backlog> backlog = flow.backlog(RunStep.phases(run), phases.get(0).time().fromMs());
        long start = run.loadStartMs().orElse(phases.get(0).time().fromMs());
        OptionalDouble left = OptionalDouble.empty();
        MessageFlow.Count count = null;
        long counted = Long.MIN_VALUE;
        for (LoadPhase phase : phases) {
            TimeRange time = phase.time();
            List<Object> row = new ArrayList<>(List.of(phase.name(), (time.fromMs() - start) / MS_PER_SECOND,
                    (time.toMs() - time.fromMs()) / MS_PER_SECOND));
            // Clients that began together leave no gap between phases, but for the exactness of their clocks.
            boolean follows = time.fromMs() - counted <= MOST_BETWEEN && counted != Long.MIN_VALUE;
            MessageFlow.Count before = follows ? count : flow.countBy(time.fromMs());
            double seconds = (time.toMs() - (follows ? counted : time.fromMs())) / MS_PER_SECOND;
            count = flow.countByEndOf(time);
            counted = time.toMs();
            row.addAll(figures(run, time, Map.of("sent", (count.sent() - before.sent()) / seconds,
                    "received", (count.received() - before.received()) / seconds)));
            boolean first = left.isEmpty();
            row.add(cell(flow.highestBacklog(time, first ? 0 : flow.backlog(before, time.fromMs()))));
            left = flow.left(time);
            row.add(cell(left));
            row.add(backlog.filter(Backlog::isBuiltUp).filter(found -> found.sinceMs() == time.toMs())
                    .map(found -> Figures.significant(found.drainMs() * US_PER_MS)).orElse(null));
            row.add(recovery.sinceMs() == time.toMs() ? Figures.significant(recovery.us()) : null);
            rows.add(row);
        }
        return rows;
    }

    /**
     * @param messages rates that are more exact at the ends of the phase
     * @return the figures in their order; null where one is unknown, or lies among failed requests
     */
    private List<Object> figures(Run run, TimeRange time, Map<String, Double> messages) throws IOException {
        List<Object> cells = new ArrayList<>();
        RunFigures measured;
        try {
            measured = RunFigures.ofPhase(run, time, types);
        } catch (DataException e) {
            FIGURES.forEach(name -> cells.add(null)); // no client started a request
            return cells;
        }
        for (String name : FIGURES) {
            double value = measured.value(Metric.named(name));
            cells.add(Figures.significant(Double.isNaN(value) ? value : messages.getOrDefault(name, value)));
        }
        return cells;
    }

    private static Object cell(OptionalDouble messages) {
        return messages.isPresent() ? Math.round(messages.getAsDouble()) : null;
    }
}
