package ch.ethz.mlmq.log_analyzer.experiment;

import static ch.ethz.mlmq.log_analyzer.table.JsonText.object;

import ch.ethz.mlmq.log_analyzer.model.fit.Scalability;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.JsonText;
import ch.ethz.mlmq.log_analyzer.vocabulary.Condition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** An experiment for programs; {@code docs/reference/statistics.md} describes each member. */
public final class ExperimentJson {
    private static final int CURVE = 60;
    private static final double BEYOND = 2;
    private static final double PER_CENT = 100;

    private final Experiment experiment;
    private final Trials trials;

    public ExperimentJson(Experiment experiment) {
        this.experiment = experiment;
        this.trials = experiment.trials();
    }

    public String text() throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        Design design = trials.design();
        all.put("name", design.name());
        all.put("design", design.plan().word());
        all.put("response", experiment.response().column());
        all.put("confidence", experiment.confidence());
        all.put("remarks", experiment.remarks());
        all.put("points", trials.points().stream().map(this::point).toList());
        all.put("left_out", trials.all().stream().filter(trial -> !trial.isAccepted()).map(this::leftOut).toList());
        if (!design.plan().generators().isEmpty()) {
            Confounding confounding = Confounding.of(design.factors().stream().map(Factor::name).toList(),
                    design.plan().generators());
            all.put("confounding", object("resolution", confounding.resolution(), "relation", confounding.relation()));
        }
        experiment.influence().effects().ifPresent(effects -> putEffects(all, effects));
        putOther(all);
        experiment.influence().multiplied().ifPresent(effects -> all.put("effects_multiplied", multiplied(effects)));
        experiment.influence().atOneSpeed().ifPresent(speed -> all.put("at_one_speed", atOneSpeed(speed)));
        all.put("interactions", experiment.influence().interactions().stream().map(this::interaction).toList());
        if (!experiment.underLoad().scaling().isEmpty()) {
            all.put("scaling", experiment.underLoad().scaling().stream().map(this::scaling).toList());
        }
        experiment.found().best().ifPresent(best -> all.put("best", object("point", best.point().number(), "levels",
                levels(best.point().levels()), "mean", best.estimate().value(), "low", interval(best.estimate()).low(),
                "high", interval(best.estimate()).high(), "as_good",
                best.asGood().stream().map(Trials.Point::number).toList(), "untold",
                best.untold().stream().map(Trials.Point::number).toList())));
        if (!experiment.underLoad().knees().isEmpty()) {
            all.put("knee", experiment.underLoad().knees().stream().map(knee -> object(
                    "factor", name(knee.factor()), "of", knee.others(), "point", knee.point().number(), "level",
                    level(knee.point().levels().get(knee.factor())), "is_last", knee.isLast())).toList());
        }
        all.put("law", experiment.underLoad().laws().stream().map(each -> object("run", each.trial().run(), "point",
                each.trial().point(), "clients", each.law().clients(), "throughput [1/s]", each.law().throughput(),
                "response [ms]", each.law().responseTime() * 1000, "think [ms]", each.law().thinkTime() * 1000,
                "deviation [%]", each.law().deviation() * PER_CENT)).toList());
        experiment.found().search().ifPresent(search -> all.put("find", find(search)));
        return JsonText.of(all);
    }

    private Map<String, Object> point(Trials.Point point) {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (FigureName figure : trials.figures()) {
            if (point.count(figure.column()) > 0) {
                figures.put(figure.column(), estimate(point, figure.column()));
            }
        }
        return object("point", point.number(), "levels", levels(point.levels()), "runs",
                point.accepted().stream().map(Trial::run).toList(), "rejected",
                point.others().stream().map(Trial::run).toList(), "figures", figures);
    }

    private Map<String, Object> leftOut(Trial trial) {
        return object("run", trial.run(), "point", trial.point(), "repetition", trial.repetition(), "state",
                trial.state().word(), "reason", trial.reason());
    }

    private void putEffects(Map<String, Object> all, Effects effects) {
        all.put("method", effects.method());
        all.put("mean", effects.mean());
        all.put("effects", effects(effects));
        effects.error().ifPresent(error -> all.put("error", object("share", error.share(), "df", error.degrees(),
                "deviation", error.deviation())));
        all.put("levels", effects.levels().effects().stream().map(level -> object("factor", level.factor(), "level",
                level(level.level()), "effect", level.value(), "low", level.interval().low(), "high",
                level.interval().high())).toList());
        all.put("pairs", effects.levels().pairs().stream().map(pair -> object("factor", pair.factor(), "first",
                level(pair.first()), "second", level(pair.second()), "difference", pair.difference(), "low",
                pair.interval().low(), "high", pair.interval().high(), "within_noise", pair.isWithinNoise())).toList());
        all.put("residuals", effects.residuals().stream().map(each -> object("run", each.trial().run(), "point",
                each.trial().point(), "predicted", each.predicted(), "residual", each.residual(), "normal_quantile",
                each.normalQuantile())).toList());
    }

    private void putOther(Map<String, Object> all) {
        experiment.influence().other().ifPresent(other -> all.put("other", object("response",
                other.response().column(), "mean", other.effects().map(Effects::mean).orElse(null), "effects",
                other.effects().map(this::effects).orElse(List.of()))));
        experiment.influence().signs().ifPresent(signs -> all.put("signs", object("terms", signs.terms(), "points",
                signs.rows().stream().map(row -> object("point", row.point().number(), "signs", row.signs()))
                        .toList())));
    }

    private List<Map<String, Object>> effects(Effects effects) {
        return effects.effects().stream().map(effect -> object("name", effect.name(), "effect",
                effect.value(), "low", effect.interval().low(), "high", effect.interval().high(), "share",
                effect.share(), "df", effect.test().degrees(), "f", effect.test().f(), "p",
                effect.test().probability(), "within_noise", effect.withinNoise().orElse(null), "confounded",
                effect.confounded().isEmpty() ? null : effect.confounded(), "levels", Double.isNaN(effect.value())
                ? null : lowAndHigh(effect.name()))).toList();
    }

    /** @return null if it is no factor */
    private List<Object> lowAndHigh(String effect) {
        return IntStream.range(0, trials.design().factors().size()).filter(i -> name(i).equals(effect)).boxed()
                .findFirst().map(i -> trials.lowFirst(i).stream().map(ExperimentJson::level).toList()).orElse(null);
    }

    /** Converts effects on logarithms to factors by which the figure changes from the low to the high level. */
    private static List<Map<String, Object>> multiplied(Effects effects) {
        return effects.effects().stream().map(effect -> object("name", effect.name(), "factor", ratio(effect.value()),
                "low", ratio(effect.interval().low()), "high", ratio(effect.interval().high()), "share", effect.share(),
                "df", effect.test().degrees(), "f", effect.test().f(), "p", effect.test().probability(),
                "within_noise", effect.withinNoise().orElse(null))).toList();
    }

    private Map<String, Object> atOneSpeed(AtOneSpeed speed) {
        Interval power = interval(speed.power());
        return object("work [us]", speed.workUs(), "power", speed.power().value(), "low", power.low(), "high",
                power.high(), "points", speed.points().stream().map(each -> object("point", each.point().number(),
                        "levels", levels(each.point().levels()), "mean", each.mean(), "low", each.interval().low(),
                        "high", each.interval().high())).toList());
    }

    private static double ratio(double halfChange) {
        return Math.exp(2 * halfChange);
    }

    private Map<String, Object> interaction(Interactions pair) {
        List<String> along = trials.levelsOf(pair.factor());
        List<String> lines = trials.levelsOf(pair.by());
        List<Object> drawn = new ArrayList<>();
        for (int line = 0; line < lines.size(); line++) {
            List<Estimate> cells = pair.cells().get(line);
            drawn.add(object("level", level(lines.get(line)), "points", IntStream.range(0, along.size())
                    .filter(i -> Double.isFinite(cells.get(i).value()))
                    .mapToObj(i -> object("level", level(along.get(i)), "mean", cells.get(i).value(), "low",
                            interval(cells.get(i)).low(), "high", interval(cells.get(i)).high())).toList()));
        }
        return object("factors", List.of(name(pair.factor()), name(pair.by())), "lines", drawn);
    }

    private Map<String, Object> scaling(ScalingLaw scaling) {
        Map<String, Object> told = object("factor", name(scaling.factor()), "of", scaling.others());
        for (Scalability.Figure figure : scaling.figures()) {
            told.put(figure.name(), object("value", figure.value(), "low", figure.interval().low(), "high",
                    figure.interval().high()));
        }
        told.put("residual_percent", scaling.error() * PER_CENT);
        told.put("words", scaling.law().words());
        told.put("used", scaling.used().stream().map(ExperimentJson::pair).toList());
        told.put("left_out", scaling.leftOut().stream().map(ExperimentJson::pair).toList());
        double most = scaling.used().stream().mapToDouble(each -> each[0]).max().orElse(1);
        told.put("measured_to", most);
        told.put("curve", IntStream.rangeClosed(0, CURVE).mapToObj(i -> {
            double n = 1 + (BEYOND * most - 1) * i / CURVE;
            return List.of(n, scaling.law().at(n));
        }).toList());
        return told;
    }

    private static List<Double> pair(double... numbers) {
        return List.of(numbers[0], numbers[1]);
    }

    private Map<String, Object> find(Search search) {
        return object("factor", name(0), "holds", search.holds(), "breaks", search.breaks(), "until",
                trials.design().until().stream().map(Condition::text).toList(), "tries",
                search.tries().stream().map(each -> object("run", each.trial().run(), "point", each.trial().point(),
                "level", each.level(), "holds", each.holds(), "broken", each.broken())).toList());
    }

    private Map<String, Object> estimate(Trials.Point point, String column) {
        Interval interval = point.interval(column, experiment.confidence());
        return object("mean", point.estimate(column).value(), "low", interval.low(), "high", interval.high(), "n",
                point.count(column));
    }

    private Interval interval(Estimate estimate) {
        return estimate.interval(experiment.confidence());
    }

    private Map<String, Object> levels(List<String> levels) {
        Map<String, Object> named = new LinkedHashMap<>();
        IntStream.range(0, levels.size()).forEach(i -> named.put(name(i), level(levels.get(i))));
        return named;
    }

    private String name(int factor) {
        return trials.design().factors().get(factor).name();
    }

    /** @return a number if the level is one without a unit */
    private static Object level(String level) {
        if (level.matches("-?\\d{1,9}")) {
            return Integer.valueOf(level);
        }
        return level.matches("-?\\d{1,9}\\.\\d{1,6}") ? (Object) Double.valueOf(level) : level;
    }
}
