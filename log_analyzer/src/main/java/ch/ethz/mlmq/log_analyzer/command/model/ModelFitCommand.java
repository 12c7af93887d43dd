package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import ch.ethz.mlmq.log_analyzer.analysis.Quantity;
import ch.ethz.mlmq.log_analyzer.analysis.RunFigures;
import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.fit.Observations;
import ch.ethz.mlmq.log_analyzer.model.fit.Regressor;
import ch.ethz.mlmq.log_analyzer.model.fit.Scalability;
import ch.ethz.mlmq.log_analyzer.model.fit.ServiceTimeFit;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.FitCharts;
import ch.ethz.mlmq.log_analyzer.plot.ModelCharts;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fits service time over regressors, or throughput over a number. */
@Command(name = "fit", sortOptions = false, description = {
    "Fits service time as a sum of terms that are not negative, or throughput by the universal scalability law.",
    "It reads a table with a column time [s] or throughput [1/s], or runs that differ."})
final class ModelFitCommand implements Callable<Integer> {
    private static final String THROUGHPUT = "throughput";
    private static final String TIME = "time";
    private static final double PER_CENT = 100;

    // Runs may stand between options, which picocli takes for several groups.
    @Parameters(paramLabel = "RUN", arity = "0..*",
            description = "Zips or folders of runs; --factor names the columns.")
    private List<Path> runs = List.of();

    @Option(names = {"--table", "-table"}, paramLabel = "FILE", description = "CSV: a row for each configuration.")
    private Path file;

    /** What is fitted. */
    private static final class Law {
        @Option(names = {"--usl", "-usl"}, paramLabel = "COLUMN",
                description = "Fits instead the universal scalability law of throughput over this column.")
        private String size;

        @ArgGroup(exclusive = false)
        private Terms terms = new Terms();
    }

    /** Service time as a sum of terms. */
    private static final class Terms {
        @Option(names = {"--form", "-form"}, paramLabel = "TERMS",
                description = "Terms separated by commas, e.g. 1,filters^1.5,components*filters. Several forms are "
                        + "compared. Default: 1 and every other column.")
        private List<String> forms = List.of();

        @Option(names = {"--time", "-time"}, paramLabel = "COLUMN",
                description = "Service times [s]. Default: time, if there is one.")
        private String time;
    }

    @Option(names = {"--factor", "-factor"}, paramLabel = "NAME=PATH",
            description = "Column of runs and the path of its number in the definition, e.g. "
                    + "clients=clients.0.clients.")
    private Map<String, String> factors = new LinkedHashMap<>();

    @Option(names = {"--type", "-type"}, paramLabel = "PREFIX",
            description = "The throughput of runs is that of actions that begin with this, such as "
                    + "CSndReq#OK#publish. Default: CSndReq#.")
    private List<String> types = List.of("CSndReq#");

    @ArgGroup
    private Law law = new Law();

    @Option(names = {"--throughput", "-throughput"}, paramLabel = "COLUMN",
            description = "Throughput [1/s] of a broker that is busy all the time. Default: throughput.")
    private String throughput;

    @Option(names = {"--over", "-over"}, paramLabel = "COLUMN",
            description = "Abscissa of the chart of measured and fitted throughput. Default: the column with the most "
                    + "different numbers. The others make lines.")
    private String over;

    @Option(names = {"--residuals", "-residuals"}, description = "Prints instead each row as measured and as fitted.")
    private boolean residuals;

    @Option(names = {"--resamples", "-resamples"}, paramLabel = "N",
            description = "Resamples that the intervals come from. Default: 1000.")
    private int resamples = 1000;

    @Mixin
    private ConfidenceOption confidence;

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
        if (file == null == runs.isEmpty()) {
            throw new UsageException("model fit takes either --table or RUN.");
        }
        if (!runs.isEmpty() && factors.isEmpty()) {
            throw new UsageException("model fit of runs needs --factor NAME=PATH for each number that differs.");
        }
        if (resamples < 100 || resamples > 100_000) {
            throw new UsageException("--resamples must lie between 100 and 100000.");
        }
        double level = confidence.level();
        Observations table = file != null ? Observations.read(file) : observe();
        if (law.size != null && over != null) {
            throw new UsageException("--over is without effect on --usl: leave it out.");
        }
        if (law.size != null) {
            scale(table, level);
            return 0;
        }
        boolean timed = law.terms.time != null || throughput == null && table.names().contains(TIME);
        String response = timed ? timeColumn() : throughputColumn();
        double[] times = timed ? table.times(response) : table.timesOfThroughput(response);
        List<ServiceTimeFit> fits = new ArrayList<>();
        for (String form : forms(table, response)) {
            fits.add(ServiceTimeFit.of(Regressor.form(form), table, times));
        }
        List<String> remarks = new ArrayList<>();
        if (fits.size() > 1) {
            remarks.add(fits.stream().filter(fit -> fit.heldBackError() >= 0)
                    .min(Comparator.comparingDouble(ServiceTimeFit::heldBackError))
                    .map(fit -> "The form " + fit.form() + " predicts held-back rows best.")
                    .orElse("The forms cannot be compared: without held-back rows too few rows are left."));
        }
        if (!timed) {
            remarks.add("Times are 1/throughput. They are the service times of the whole broker, if it was always "
                    + "busy.");
        }
        output.write(residuals ? residuals(fits) : coefficients(fits, level), remarks, charts(fits, table));
        return 0;
    }

    private List<Chart> charts(List<ServiceTimeFit> fits, Observations table) {
        List<Chart> charts = new ArrayList<>(List.of(FitCharts.residuals(fits)));
        for (ServiceTimeFit fit : fits) {
            String widest = over == null ? FitCharts.widest(fit, table) : over;
            if (over != null && !fit.columns().contains(widest)) {
                throw new UsageException("--over %s is no column of the form %s. It has: %s.".formatted(widest,
                        fit.form(), String.join(", ", fit.columns())));
            }
            if (!widest.isEmpty()) {
                charts.add(FitCharts.curves(fits.size() == 1 ? "fit_curves" : "fit_curves_" + charts.size(), fit, table,
                        widest));
            }
        }
        return charts;
    }

    private void scale(Observations table, double level) throws IOException {
        ServiceTimeFit fit = Scalability.fit(table, law.size, throughputColumn());
        Table figures = Table.of("figure", "value", "low", "high");
        Scalability.figures(fit, resamples, level).forEach(figure -> figures.add(figure.name(),
                Figures.significant(figure.value()), Figures.significant(figure.interval().low()),
                Figures.significant(figure.interval().high())));
        figures.add("residual_percent", fit.residualError() * PER_CENT, null, null);
        Scalability fitted = Scalability.of(fit.coefficients());
        List<Chart> charts = List.of(ModelCharts.scalability(fitted, table, law.size, throughputColumn()));
        output.write(figures, List.of(fitted.words()), charts);
    }

    private String timeColumn() {
        return law.terms.time == null ? TIME : law.terms.time;
    }

    private String throughputColumn() {
        return throughput == null ? THROUGHPUT : throughput;
    }

    private Table coefficients(List<ServiceTimeFit> fits, double level) {
        Table table = Table.of("form", "figure", "value", "low", "high");
        for (ServiceTimeFit fit : fits) {
            List<Interval> intervals = fit.intervals(resamples, level);
            for (int j = 0; j < fit.terms().size(); j++) {
                table.add(fit.form(), fit.terms().get(j).text(), Figures.significant(fit.coefficients()[j]),
                        Figures.significant(intervals.get(j).low()), Figures.significant(intervals.get(j).high()));
            }
            table.add(fit.form(), "residual_percent", fit.residualError() * PER_CENT, null, null);
            table.add(fit.form(), "held_back_percent", fit.heldBackError() * PER_CENT, null, null);
        }
        return table;
    }

    private static Table residuals(List<ServiceTimeFit> fits) {
        Table table = Table.of("form", "row", "measured", "fitted", "residual_percent");
        for (ServiceTimeFit fit : fits) {
            double[] residuals = fit.residuals();
            for (int i = 0; i < residuals.length; i++) {
                table.add(fit.form(), i + 1, Figures.significant(fit.measured()[i]),
                        Figures.significant(fit.fitted()[i]),
                        residuals[i] * PER_CENT);
            }
        }
        return table;
    }

    private List<String> forms(Observations table, String response) {
        if (!law.terms.forms.isEmpty()) {
            return law.terms.forms;
        }
        List<String> terms = new ArrayList<>(List.of("1"));
        table.names().stream().filter(name -> !name.equals(response)).forEach(terms::add);
        return List.of(String.join(",", terms));
    }

    private Observations observe() throws IOException {
        List<String> names = new ArrayList<>(factors.keySet());
        names.add(THROUGHPUT);
        List<double[]> rows = new ArrayList<>();
        for (Path path : runs) {
            try (Run run = Run.open(path, output.complaints())) {
                Map<String, String> parameters = run.parameters();
                double[] row = new double[names.size()];
                int column = 0;
                for (Map.Entry<String, String> factor : factors.entrySet()) {
                    String level = parameters.getOrDefault(factor.getValue(), "");
                    row[column++] = Quantity.of(level).map(Quantity::inSeconds).orElseThrow(() -> new DataException(
                            "%s: %s has no number at %s.".formatted(path, factor.getKey(), factor.getValue())));
                }
                row[column] = RunFigures.read(run, TimeSelection.whileMeasuring(run), types)
                        .value(Metric.named(THROUGHPUT));
                rows.add(row);
            }
        }
        return new Observations(names, rows);
    }
}
