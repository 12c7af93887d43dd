package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.MessageFlow;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.RunStep;
import ch.ethz.mlmq.log_analyzer.run.Steadiness;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Treats one run as an experiment: each step of its load is a level, and the windows of a step are its repetitions.
 * Consecutive windows are less independent than runs, so their intervals are rather too narrow.
 */
public final class RunSteps {
    /** Part of a step that is left out, until its load has settled. */
    private static final double SETTLING = 0.2;
    private static final int WINDOWS = 5;
    private static final double US_PER_MS = 1000;
    private static final double MS_PER_SECOND = 1000;
    private static final double PER_CENT = 100;
    private static final double[] PERCENTS = {50, 95, 99};

    private RunSteps() {
    }

    /**
     * @param path       of the run
     * @param types      prefixes of the actions that count
     * @param complaints gets a sentence about each file that cannot be read
     */
    public static Trials read(Path path, List<String> types, Consumer<String> complaints) throws IOException {
        try (Run run = Run.open(path, complaints)) {
            return of(run, types);
        }
    }

    /** @param types prefixes of the actions that count */
    public static Trials of(Run run, List<String> types) throws IOException {
        List<RunStep> rates = RunStep.rates(run);
        List<RunStep> steps = rates.isEmpty() ? RunStep.numbersOfClients(run) : rates;
        if (RunStep.hasPhases(run)) {
            steps = phases(steps);
        }
        List<String> levels = steps.stream().map(RunStep::level).distinct().toList();
        if (levels.size() < 2) {
            throw new DataException(run.name()
                    + " has no steps: its clients recorded fewer than two levels of 5 s or more, and got no command "
                    + "with a rate.");
        }
        Factor factor = new Factor(rates.isEmpty() ? "clients" : "rate", "", levels, "");
        Design.Plan plan = new Design.Plan("points", Design.Analysis.NONE, List.of());
        Design design = new Design("", run.name(), plan, "throughput", List.of(factor), List.of());
        MessageFlow flow = MessageFlow.of(run);
        List<String> remarks = RunStep.hasPhases(run) ? flow.remark(steps).stream().toList() : List.of();
        return new Trials(design, trials(run, steps, types, flow), remarks);
    }

    /** Tells phases of the same rate apart, as what is before a spike differs from what is after it. */
    private static List<RunStep> phases(List<RunStep> steps) {
        long start = steps.isEmpty() ? 0 : steps.get(0).phase().fromMs();
        return steps.stream().map(step -> new RunStep(step.level() + " from "
                + Math.round((step.phase().fromMs() - start) / MS_PER_SECOND) + " s", step.phase())).toList();
    }

    private static List<Trial> trials(Run run, List<RunStep> steps, List<String> types, MessageFlow flow)
            throws IOException {
        double shortest = steps.stream().mapToLong(each -> each.phase().toMs() - each.phase().fromMs()).min().orElse(1);
        long window = Math.max(1, (long) (shortest * (1 - SETTLING) / (WINDOWS + 1)));
        TimeSelection cut = new TimeSelection(OptionalLong.of(steps.get(0).phase().fromMs()), 0, TimeSelection.NO_END,
                0, 0, Optional.empty());
        Measurements measured = read(PerformanceLogs.of(run.store()), cut, window,
                new Grouping(types, List.of(Grouping.Key.STATUS)));
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            TimeRange step = steps.get(i).phase();
            long settled = step.fromMs() + Math.round(SETTLING * (step.toMs() - step.fromMs()));
            long first = Math.floorDiv(settled - measured.timeline().originMs() + window - 1, window);
            int repetition = 0;
            for (long number = first; measured.timeline().windowStart(number + 1) <= step.toMs(); number++) {
                repetition++;
                Map<String, Double> figures = figures(measured, number, window);
                long from = measured.timeline().windowStart(number);
                flow.addTo(figures, from, from + window);
                if (repetition == 1) {
                    Steadiness.of(run, new TimeRange(settled, step.toMs())).ifPresent(queue -> {
                        figures.put(Steadiness.TREND, queue.trend());
                        figures.put(Steadiness.FIGURE, queue.isSteady() ? 1.0 : 0);
                    });
                }
                trials.add(new Trial("step " + (i + 1) + " window " + repetition, i + 1, repetition,
                        Trial.State.ACCEPTED, "", List.of(steps.get(i).level()), figures));
            }
        }
        return trials;
    }

    /** Reads a second time if requests failed: they move the ranks of percentiles among the successful ones. */
    private static Measurements read(PerformanceLogs logs, TimeSelection cut, long windowMs, Grouping grouping)
            throws IOException {
        Measurements measured = logs.readWindows(cut, windowMs, grouping, window -> PERCENTS);
        Map<Long, Long> all = new HashMap<>();
        Map<Long, Long> successful = new HashMap<>();
        for (Measurements.Group group : requests(measured)) {
            group.windows().forEach(window -> all.merge(window.number(), window.summary().count(), Long::sum));
            if (isSuccess(group)) {
                group.windows().forEach(window -> successful.put(window.number(), window.summary().count()));
            }
        }
        return all.equals(successful) ? measured : logs.readWindows(cut, windowMs, grouping, window -> percents(
                successful.getOrDefault(window, 0L), all.getOrDefault(window, 0L)));
    }

    /** @return the per cent of the successful requests that have the ranks which the wanted ones have among all */
    private static double[] percents(long successful, long all) {
        return Arrays.stream(PERCENTS).map(percent ->
                Math.min(PER_CENT, PER_CENT * (rank(percent, all) - 0.5) / Math.max(1, successful))).toArray();
    }

    private static double rank(double percent, long all) {
        return Math.ceil(percent / PER_CENT * all);
    }

    private static List<Measurements.Group> requests(Measurements measured) {
        return measured.groups().stream().filter(group -> !group.labels().get(0).endsWith(":service")).toList();
    }

    private static boolean isSuccess(Measurements.Group group) {
        return group.labels().get(0).equals("OK") || group.labels().get(0).equals("-");
    }

    private static Map<String, Double> figures(Measurements measured, long number, long windowMs) {
        Map<String, Double> figures = new LinkedHashMap<>();
        long all = 0;
        Summary ok = null;
        for (Measurements.Group group : requests(measured)) {
            Summary summary = group.windows().stream().filter(window -> window.number() == number).findFirst()
                    .map(Measurements.Window::summary).orElse(null);
            all += summary == null ? 0 : summary.count();
            ok = summary != null && isSuccess(group) ? summary : ok;
        }
        long successful = ok == null ? 0 : ok.count();
        figures.put("throughput [1/s]", successful * MS_PER_SECOND / windowMs);
        if (successful > 0) {
            figures.put("mean [ms]", ok.mean() / US_PER_MS);
        }
        for (int i = 0; i < PERCENTS.length && successful > 0; i++) {
            if (rank(PERCENTS[i], all) <= successful) {
                figures.put("p" + (int) PERCENTS[i] + " [ms]", ok.percentiles().get(i) / US_PER_MS);
            }
        }
        if (all > 0) {
            figures.put("errors [%]", PER_CENT * (all - successful) / all);
        }
        return figures;
    }
}
