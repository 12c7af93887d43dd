package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The results of an experiment. It grows with its runs: unknown results are left out, and remarks name what is missing.
 *
 * @param response the figure whose effects are computed
 */
public record Experiment(Trials trials, FigureName response, double confidence, Influence influence,
        UnderLoad underLoad, Found found, List<String> remarks) {

    /**
     * Effects of the factors on the response.
     *
     * @param effects    empty if the design has none, or too few runs are accepted
     * @param multiplied the same for the logarithm of the figure: effects multiply; empty likewise, or if it is 0 or
     * less
     * @param atOneSpeed the response adjusted to machines of constant speed; empty if that is unknown
     * @param other      effects on another response; empty if no run has one
     * @param signs      of the effects; empty unless factors have two levels
     */
    public record Influence(Optional<Effects> effects, Optional<Effects> multiplied, Optional<AtOneSpeed> atOneSpeed,
            List<Interactions> interactions, Optional<Other> other, Optional<SignTable> signs) {
    }

    /**
     * The response that stands beside the asked one: throughput or, beside throughput, the mean response time.
     *
     * @param effects empty as those of the asked response
     */
    public record Other(FigureName response, Optional<Effects> effects) {
        private static Optional<Other> of(Trials trials, FigureName asked, double confidence) {
            String name = asked.isCalled("throughput") ? "mean" : "throughput";
            return trials.figures().stream().filter(figure -> figure.isCalled(name)).findFirst().map(figure ->
                    new Other(figure, Experiment.effects(trials, figure.column(), confidence, new ArrayList<>())));
        }
    }

    /** Figures as functions of the load. */
    public record UnderLoad(List<ScalingLaw> scaling, List<Knee> knees, List<Laws.Of> laws) {
    }

    /** The requested point: the highest level that holds, of a design that searches, else the best point. */
    public record Found(Optional<Best> best, Optional<Search> search) {
    }

    /**
     * @param response name of a figure; null for the design's
     * @param leftOut  levels that the scaling law is not fitted to
     */
    public static Experiment of(Trials trials, String response, Set<String> leftOut, double confidence) {
        // This refuses an invalid design, however few runs there are.
        Confounding.of(trials.design().factors().stream().map(Factor::name).toList(),
                trials.design().plan().generators());
        if (trials.all().isEmpty()) {
            throw new DataException("The table has no runs.");
        }
        FigureName figure = trials.response(response);
        boolean searches = trials.design().plan().analysis() == Design.Analysis.SEARCH;
        List<String> remarks = new ArrayList<>(trials.remarks());
        Optional<Effects> effects = effects(trials, figure.column(), confidence, remarks);
        MachineSpeed.remark(trials).ifPresent(remarks::add);
        Found found = searches ? new Found(Optional.empty(), Optional.of(Search.of(trials)))
                : new Found(Best.of(trials, figure, confidence), Optional.empty());
        Influence influence = new Influence(effects,
                effects.flatMap(each -> multiplied(trials, figure.column(), confidence)),
                searches ? Optional.empty() : AtOneSpeed.of(trials, figure.column(), confidence),
                Interactions.of(trials, figure.column()),
                searches ? Optional.empty() : Other.of(trials, figure, confidence),
                effects.flatMap(each -> SignTable.of(trials, each)));
        UnderLoad underLoad = new UnderLoad(ScalingLaw.of(trials, leftOut, confidence, remarks), Knee.of(trials),
                Laws.of(trials));
        return new Experiment(trials, figure, confidence, influence, underLoad, found, List.copyOf(remarks));
    }

    private static Optional<Effects> effects(Trials trials, String column, double confidence, List<String> remarks) {
        try {
            Optional<Effects> found = switch (trials.design().plan().analysis()) {
                case ANOVA -> Optional.of(new VarianceAnalysis(trials, column, confidence).compute());
                case EFFECTS -> Optional.of(new TwoLevelEffects(trials, column, confidence).compute());
                case NONE, SEARCH -> Optional.empty();
            };
            found.ifPresent(effects -> {
                remarks.addAll(effects.remarks());
                trials.remarkOnThoseWithout(column).ifPresent(remarks::add);
            });
            return found;
        } catch (DataException missing) {
            remarks.add("No effects: " + missing.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<Effects> multiplied(Trials trials, String column, double confidence) {
        if (trials.with(column).stream().anyMatch(trial -> !(trial.figure(column) > 0))) {
            return Optional.empty();
        }
        List<Trial> logs = trials.all().stream().map(trial -> {
            Map<String, Double> figures = new LinkedHashMap<>();
            if (trial.figures().containsKey(column)) {
                figures.put(column, Math.log(trial.figure(column)));
            }
            return new Trial(trial.run(), trial.point(), trial.repetition(), trial.state(), trial.reason(),
                    trial.levels(),
                    figures);
        }).toList();
        return effects(new Trials(trials.design(), logs), column, confidence, new ArrayList<>());
    }
}
