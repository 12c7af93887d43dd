package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.analysis.Windows;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.MessageFlow;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.RunStep;
import ch.ethz.mlmq.log_analyzer.run.Steadiness;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.scan.Timeline;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
        if (RunStep.hasPhases(run) && !RunStep.isPlanned(run)) {
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
        Windows windows = Windows.read(PerformanceLogs.of(run.store()), cut, window, types, PERCENTS);
        Timeline timeline = windows.measured().timeline();
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            TimeRange step = steps.get(i).phase();
            long settled = step.fromMs() + Math.round(SETTLING * (step.toMs() - step.fromMs()));
            long first = Math.floorDiv(settled - timeline.originMs() + window - 1, window);
            int repetition = 0;
            for (long number = first; timeline.windowStart(number + 1) <= step.toMs(); number++) {
                repetition++;
                Map<String, Double> figures = figures(windows, number, window);
                long from = timeline.windowStart(number);
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

    private static Map<String, Double> figures(Windows windows, long number, long windowMs) {
        Map<String, Double> figures = new LinkedHashMap<>();
        long all = windows.count(number);
        long successful = windows.successful(number).map(Summary::count).orElse(0L);
        figures.put("throughput [1/s]", successful * MS_PER_SECOND / windowMs);
        windows.successful(number).ifPresent(ok -> figures.put("mean [ms]", ok.mean() / US_PER_MS));
        for (int i = 0; i < PERCENTS.length && successful > 0; i++) {
            double percentile = windows.percentile(number, i);
            if (Double.isFinite(percentile)) {
                figures.put("p" + (int) PERCENTS[i] + " [ms]", percentile / US_PER_MS);
            }
        }
        if (all > 0) {
            figures.put("errors [%]", PER_CENT * (all - successful) / all);
        }
        return figures;
    }
}
