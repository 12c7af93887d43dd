package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import ch.ethz.mlmq.log_analyzer.analysis.RunFigures;
import ch.ethz.mlmq.log_analyzer.check.Finding;
import ch.ethz.mlmq.log_analyzer.check.RunCheck;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.InteractiveLaw;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.Steadiness;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.vocabulary.Condition;
import ch.ethz.mlmq.log_analyzer.vocabulary.Figure;
import ch.ethz.mlmq.log_analyzer.vocabulary.Judge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reads an experiment from the logs of its runs, each with its {@code experiment.json}; only one run at a time is in
 * memory.
 */
public final class ExperimentRuns {
    private static final String DESIGN = "experiment.json";
    private static final String LATE = "late [%]";
    private static final double MS_PER_SECOND = 1000;
    private static final double PER_CENT = 100;

    private ExperimentRuns() {
    }

    /**
     * @param paths      of runs' zips or folders, or of folders that contain such
     * @param complaints gets a sentence about each file that cannot be read
     */
    public static Trials read(List<Path> paths, List<String> types, Consumer<String> complaints) throws IOException {
        Design design = null;
        List<Trial> trials = new ArrayList<>();
        for (Path path : runs(paths)) {
            try (Run run = Run.open(path, complaints)) {
                Json json = run.experiment();
                if (json.isMissing()) {
                    throw new DataException(path + " has no readable " + DESIGN + ", so it is not a run of an "
                            + "experiment.");
                }
                Design of = Design.of(json);
                if (design != null && !(of.id().equals(design.id())
                        && of.factors().stream().map(Factor::name).toList()
                        .equals(design.factors().stream().map(Factor::name).toList()))) {
                    throw new DataException("%s is a run of another experiment, %s.".formatted(path, of.name()));
                }
                // Levels may have been added later, so the design with most levels is the last one.
                design = design == null || levels(of) >= levels(design) ? of : design;
                trials.addAll(trials(run, json, of, types));
            }
        }
        if (design == null) {
            throw new DataException("There is no run in " + paths + ".");
        }
        return new Trials(design, List.copyOf(trials));
    }

    private static int levels(Design design) {
        return design.factors().stream().mapToInt(factor -> factor.levels().size()).sum();
    }

    /** Makes one trial for the run as a whole, or one for each try in it. */
    private static List<Trial> trials(Run run, Json json, Design design, List<String> types) throws IOException {
        List<Json> tries = json.at("tries").elements();
        TimeSelection cut = TimeSelection.whileMeasuring(run);
        Measurements byJvm = PerformanceLogs.of(run.store()).read(cut, OptionalLong.of(Integer.MAX_VALUE),
                new Grouping(List.of(), List.of(Grouping.Key.ACTION, Grouping.Key.JVM)));
        Optional<Finding> rejected = RunCheck.of(run, byJvm).findings().stream()
                .filter(finding -> finding.level() == Finding.Level.REJECTED).findFirst();
        Trial.State state = json.at("state").text().map(Trial.State::named)
                .orElse(rejected.isPresent() ? Trial.State.REJECTED : Trial.State.ACCEPTED);
        String reason = json.at("reason").text().orElse(state == Trial.State.ACCEPTED ? ""
                : rejected.map(finding -> finding.topic() + ": " + finding.reason()).orElse(""));
        Json environment = run.environment();
        String name = environment.at("test_run").text().orElse(run.store().name());
        List<Trial> trials = new ArrayList<>();
        if (json.at("tries").isMissing()) {
            Map<String, Double> figures = figures(run, cut, asked(design), types);
            figures.putAll(figuresOfAll(run));
            trials.add(trial(name, json, design, state, reason, figures));
        }
        for (int i = 0; i < tries.size(); i++) {
            Json each = tries.get(i);
            Map<String, Double> figures = figures(run, window(name, each), asked(design), types);
            each.at("late").number().ifPresent(late -> figures.put(LATE, late));
            trials.add(trial(name + " try " + (i + 1), each, design, state, reason, figures));
        }
        return trials;
    }

    private static Trial trial(String name, Json json, Design design, Trial.State state, String reason,
            Map<String, Double> figures) {
        List<String> levels = new ArrayList<>();
        for (Factor factor : design.factors()) {
            levels.add(json.at("levels").members().getOrDefault(factor.name(), Json.MISSING).text()
                    .orElseThrow(() -> new DataException(name + ": " + DESIGN + " has no level of " + factor.name()
                            + ".")));
        }
        figures.values().removeIf(value -> !Double.isFinite(value));
        return new Trial(name, (int) json.at("point").numberOr(0), (int) json.at("repetition").numberOr(1), state,
                reason, List.copyOf(levels), figures);
    }

    private static TimeSelection window(String name, Json tried) {
        long from = (long) tried.at("from_ms").numberOr(0);
        long to = (long) tried.at("to_ms").numberOr(0);
        if (from >= to) {
            throw new DataException("%s: %s has a try that ends before it begins.".formatted(name, DESIGN));
        }
        return new TimeSelection(OptionalLong.empty(), 0, TimeSelection.NO_END, 0, 0,
                Optional.of(new TimeRange(from, to)));
    }

    private static Map<String, Double> figures(Run run, TimeSelection cut, List<Figure> asked, List<String> types)
            throws IOException {
        RunFigures measured = RunFigures.readWithMessages(run, cut, types).withRecovery(run, types);
        Map<String, Double> figures = new LinkedHashMap<>();
        // Percentiles among failed requests are infinite, because these times are unknown; they are left out.
        Stream.concat(Figure.of(Judge.TRY).stream(), asked.stream()).distinct().filter(figure -> !LATE.equals(
                figure.column()) && figure.known().contains(Judge.EXACT)).forEach(figure ->
                        figures.put(figure.column(), value(measured, figure) / figure.dimension().plainSize()));
        figures.put(MachineSpeed.FIXED_WORK, measured.value(Metric.named("fixed_work")));
        TimeRange steady = new TimeRange(measured.measured().steadyFromMs(), measured.measured().steadyToMs());
        Steadiness.of(run, steady).ifPresent(queue -> {
            figures.put(Steadiness.TREND, queue.trend());
            figures.put(Steadiness.FIGURE, queue.isSteady() ? 1.0 : 0);
        });
        return figures;
    }

    private static double value(RunFigures measured, Figure figure) {
        if (figure.of().equals("max")) {
            if (measured.durations().beyond() > 0) {
                return Double.POSITIVE_INFINITY;
            }
            return measured.durations().count() == 0 ? Double.NaN : measured.durations().max();
        }
        return measured.value(Metric.named(figure.name()));
    }

    /** @return figures of its conditions and its effects */
    private static List<Figure> asked(Design design) {
        return Stream.concat(design.until().stream().map(Condition::figure),
                Figure.named(design.response()).filter(figure -> figure.known().contains(Judge.TRY)).stream()).toList();
    }

    /** Reads figures that are known only for the run as a whole. */
    private static Map<String, Double> figuresOfAll(Run run) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>();
        List<ClientSummary> summaries = run.summaries();
        double answered = summaries.stream().mapToDouble(each ->
                each.ok() + each.errors().values().stream().mapToDouble(Double::doubleValue).sum()).sum();
        figures.put(LATE, PER_CENT * summaries.stream().mapToDouble(ClientSummary::late).sum() / answered);
        InteractiveLaw.of(run).ifPresent(law -> {
            figures.put(Laws.CLIENTS, law.clients());
            figures.put(Laws.RATE, law.throughput());
            figures.put(Laws.RESPONSE, law.responseTime() * MS_PER_SECOND);
            figures.put(Laws.THINK, law.thinkTime() * MS_PER_SECOND);
        });
        return figures;
    }

    private static List<Path> runs(List<Path> paths) throws IOException {
        List<Path> runs = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isDirectory(path) && !Files.exists(path.resolve(DESIGN))) {
                try (Stream<Path> inside = Files.list(path)) {
                    runs.addAll(inside.filter(each -> each.toString().endsWith(".zip")
                            || Files.exists(each.resolve(DESIGN))).sorted().toList());
                }
            } else {
                runs.add(path);
            }
        }
        return runs;
    }
}
