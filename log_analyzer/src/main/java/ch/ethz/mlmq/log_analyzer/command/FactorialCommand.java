package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.analysis.Factorial;
import ch.ethz.mlmq.log_analyzer.analysis.FactorialCsv;
import ch.ethz.mlmq.log_analyzer.analysis.FactorialTable;
import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import ch.ethz.mlmq.log_analyzer.analysis.RunFigures;
import ch.ethz.mlmq.log_analyzer.analysis.VariedParameters;
import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.TableOptions;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Computes effects of a 2^k design. */
@Command(name = "factorial", sortOptions = false, description = {
    "Computes the effects of a 2^k design, their shares of the variation and, with replications, their intervals.",
    "It reads a table (columns of factors, then y or y1,y2,...) or the runs of the design."})
final class FactorialCommand implements Callable<Integer> {
    // Runs may stand between options, which picocli takes for several groups.
    @Parameters(paramLabel = "RUN", arity = "0..*", description = "Zips or folders of all runs, repetitions included.")
    private List<Path> runs = List.of();

    @Option(names = {"--table", "-table"}, paramLabel = "FILE", description = "CSV of the design.")
    private Path file;

    @Option(names = {"--factor", "-factor"}, paramLabel = "NAME=PATH",
            description = "Factor of runs and the path of its level in the definition, e.g. "
                    + "workers=brokers.0.settings.workers. Default: all that differ.")
    private Map<String, String> factors = new LinkedHashMap<>();

    @Option(names = {"--metric", "-metric"}, paramLabel = "FIGURE",
            description = "Response of runs: throughput, errors, mean, median, p99 ... Default: mean.")
    private String metric = "mean";

    @Option(names = "-type", paramLabel = "PREFIX", description = "Selects actions that begin with this. Default: "
            + "CSndReq#.")
    private List<String> types = List.of("CSndReq#");

    @Mixin
    private ConfidenceOption confidence;

    @Option(names = {"--relation", "-relation"},
            description = "Prints instead the fitted relation in the units of the factors, as term,coefficient.")
    private boolean relation;

    @Mixin
    private TableOptions table;

    @Override
    public Integer call() throws IOException {
        if (file == null == runs.isEmpty()) {
            throw new UsageException("factorial takes either --table or RUN.");
        }
        double level = confidence.level();
        FactorialTable observed = file != null ? FactorialCsv.read(file) : observe();
        Factorial design = observed.design();
        if (relation) {
            if (!observed.hasUnits()) {
                throw new UsageException("--relation needs numbers as levels.");
            }
            Table terms = Table.of("term", "coefficient");
            design.relation().forEach(term -> terms.add(term.name(), Figures.significant(term.coefficient())));
            table.write(terms, "The response is the sum of each coefficient times the product of its factors' levels.");
            return 0;
        }
        Table effects = Table.of("effect", "value", "share", "low", "high");
        design.effects(level).forEach(effect -> effects.add(effect.name(),
                Figures.significant(effect.value()), effect.share() * 100,
                Figures.significant(effect.interval().low()), Figures.significant(effect.interval().high())));
        table.write(effects, "Value: half the change from the low to the high level. Share: per cent of the "
                + "variation.");
        return 0;
    }

    private FactorialTable observe() throws IOException {
        Metric response = Metric.named(metric);
        List<Map<String, String>> parameters = new ArrayList<>();
        List<Double> responses = new ArrayList<>();
        for (Path path : runs) {
            try (Run run = Run.open(path, table.complaints())) {
                parameters.add(run.parameters());
                TimeSelection measuring = TimeSelection.whileMeasuring(run);
                double value = (response instanceof Metric.EndToEnd
                        ? RunFigures.readWithMessages(run, measuring, types)
                        : RunFigures.read(run, measuring, types)).value(response);
                if (!Double.isFinite(value)) {
                    throw new DataException("%s has no %s%s: leave it out, or choose another --metric.".formatted(
                            run.name(), metric, Double.isNaN(value) ? "" : ", as it lies among failed requests"));
                }
                responses.add(value);
            }
        }
        VariedParameters varied = factors.isEmpty() ? VariedParameters.in(parameters)
                : VariedParameters.named(factors, parameters);
        List<FactorialTable.Row> rows = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            rows.add(new FactorialTable.Row(varied.levels(i), List.of(responses.get(i))));
        }
        rows.sort(FactorialTable.Row.LOW_LEVELS_FIRST);
        return new FactorialTable(varied.names(), rows);
    }
}
