package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.model.fit.Scalability;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the tables of an experiment for people. */
public final class ExperimentTables {
    private static final double PER_CENT = 100;

    private final Experiment experiment;
    private final Trials trials;

    public ExperimentTables(Experiment experiment) {
        this.experiment = experiment;
        this.trials = experiment.trials();
    }

    /** @return a row for each figure of each point, with its interval */
    public Table points() {
        List<String> columns = new ArrayList<>(List.of("point"));
        trials.design().factors().forEach(factor -> columns.add(factor.name()));
        columns.addAll(List.of("figure", "mean", "low", "high", "n", "rejected"));
        Table table = new Table(columns);
        for (Trials.Point point : trials.points()) {
            for (FigureName figure : trials.figures()) {
                List<Object> row = new ArrayList<>(List.of(point.number()));
                row.addAll(point.levels());
                row.add(figure.column());
                addEstimate(row, point, figure.column());
                row.addAll(List.of(point.count(figure.column()), point.others().size()));
                table.add(row);
            }
        }
        return table;
    }

    /** @return the response of each point */
    public Table response() {
        List<String> columns = new ArrayList<>(List.of("point"));
        trials.design().factors().forEach(factor -> columns.add(factor.name()));
        columns.addAll(List.of(experiment.response().column(), "low", "high", "runs"));
        Table table = new Table(columns);
        for (Trials.Point point : trials.points()) {
            List<Object> row = new ArrayList<>(List.of(point.number()));
            row.addAll(point.levels());
            Estimate estimate = point.estimate(experiment.response().column());
            Interval interval = point.interval(experiment.response().column(), experiment.confidence());
            row.addAll(List.of(estimate.value(), interval.low(), interval.high()));
            row.add(point.accepted().isEmpty() ? "no accepted run" : Integer.toString(point.accepted().size()));
            table.add(row);
        }
        return table;
    }

    /** @return all existing tables by their titles */
    public Map<String, Table> results() {
        Map<String, Table> tables = new LinkedHashMap<>();
        String confidence = Figures.percent(experiment.confidence() * PER_CENT);
        experiment.influence().effects().ifPresent(effects -> {
            tables.put("Effects on " + experiment.response().column() + ", " + confidence
                    + " % intervals, share of the variation",
                    effects(effects));
            if (!effects.levels().effects().isEmpty()) {
                tables.put("Levels: difference of their mean from the mean of all", levels(effects));
            }
            if (!effects.levels().pairs().isEmpty()) {
                tables.put("Pairs of levels, " + confidence + " % for all pairs together (Tukey-Kramer)",
                        pairs(effects));
            }
        });
        experiment.influence().other().ifPresent(other -> other.effects().ifPresent(effects ->
                tables.put("Effects on " + other.response().column(), effects(effects))));
        experiment.influence().signs().ifPresent(signs -> tables.put("Signs", signs(signs)));
        experiment.influence().atOneSpeed().ifPresent(speed -> tables.put(words(speed), atOneSpeed(speed)));
        for (ScalingLaw law : experiment.underLoad().scaling()) {
            Table figures = Table.of("figure", "value", "low", "high");
            for (Scalability.Figure figure : law.figures()) {
                figures.add(figure.name(), Figures.brief(figure.value()), Figures.brief(figure.interval().low()),
                        Figures.brief(figure.interval().high()));
            }
            tables.put(title(law), figures);
        }
        experiment.found().search().ifPresent(search -> tables.put(words(search), tries(search)));
        if (!experiment.underLoad().laws().isEmpty()) {
            tables.put("Interactive law N = X (R + Z)", laws());
        }
        if (trials.all().stream().anyMatch(trial -> !trial.isAccepted())) {
            tables.put("Runs that do not count", leftOut());
        }
        return tables;
    }

    private static String numbers(List<Trials.Point> points) {
        return points.stream().map(point -> Integer.toString(point.number())).collect(Collectors.joining(", "));
    }

    /** @return best point, peaks of the scaling laws, and knees */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        experiment.found().best().ifPresent(best -> sentences.add("Best: point %d (%s), %s %s%s.".formatted(best.point()
                .number(),
                words(best.point()), experiment.response().column(), Figures.forPeople(best.estimate().value()),
                (best.asGood().isEmpty() ? "" : "; within noise of it: point " + numbers(best.asGood()))
                        + (best.untold().isEmpty() ? "" : "; without repetitions it cannot be told of point "
                                + numbers(best.untold())))));
        experiment.underLoad().scaling().forEach(law -> sentences.add(title(law) + ". " + law.law().words()));
        for (Knee knee : experiment.underLoad().knees()) {
            sentences.add("Knee%s: %s %s, where throughput over response time is highest%s.".formatted(
                    knee.others().isEmpty() ? "" : " (" + knee.others() + ")",
                    trials.design().factors().get(knee.factor()).name(), knee.point().levels().get(knee.factor()),
                    knee.isLast() ? "; it is the last level, so that it may lie beyond" : ""));
        }
        return sentences;
    }

    private String title(ScalingLaw law) {
        return "Universal scalability law over " + trials.design().factors().get(law.factor()).label()
                + (law.others().isEmpty() ? "" : ", " + law.others());
    }

    private String words(AtOneSpeed speed) {
        Interval power = speed.power().interval(experiment.confidence());
        return "%s at one speed of the machines, where the fixed piece of work takes %s us; it changes with that time "
                .formatted(experiment.response().column(), Figures.forPeople(speed.workUs()))
                + "to the power of %s (%s to %s)".formatted(Figures.rounded(speed.power().value(), 2),
                        Figures.rounded(power.low(), 2), Figures.rounded(power.high(), 2));
    }

    private Table atOneSpeed(AtOneSpeed speed) {
        List<String> columns = new ArrayList<>(List.of("point"));
        trials.design().factors().forEach(factor -> columns.add(factor.name()));
        columns.addAll(List.of("mean", "low", "high"));
        Table table = new Table(columns);
        for (AtOneSpeed.Adjusted each : speed.points()) {
            List<Object> row = new ArrayList<>(List.of(each.point().number()));
            row.addAll(each.point().levels());
            row.addAll(List.of(each.mean(), each.interval().low(), each.interval().high()));
            table.add(row);
        }
        return table;
    }

    private String words(Search search) {
        String factor = trials.design().factors().get(0).label();
        if (Double.isNaN(search.holds())) {
            return "No level of " + factor + " holds";
        }
        return "Highest " + factor + " that holds: " + Figures.forPeople(search.holds())
                + (Double.isNaN(search.breaks())
                ? " or more; nothing higher was tried" : ", and less than " + Figures.forPeople(search.breaks()));
    }

    private String words(Trials.Point point) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < point.levels().size(); i++) {
            parts.add(trials.design().factors().get(i).name() + " " + point.levels().get(i));
        }
        return String.join(", ", parts);
    }

    private Table effects(Effects effects) {
        boolean twoLevels = effects.effects().stream().anyMatch(effect -> !Double.isNaN(effect.value()));
        List<String> columns = new ArrayList<>(List.of("effect"));
        columns.addAll(twoLevels ? List.of("value", "low", "high", "share") : List.of("df", "F", "p", "share"));
        columns.add("verdict");
        boolean confounded = effects.effects().stream().anyMatch(effect -> !effect.confounded().isEmpty());
        if (confounded) {
            columns.add("confounded with");
        }
        Table table = new Table(columns);
        if (twoLevels) {
            List<Object> mean = new ArrayList<>(List.of("mean", effects.mean()));
            mean.addAll(Collections.nCopies(columns.size() - 2, null));
            table.add(mean);
        }
        for (Effects.Effect effect : effects.effects()) {
            List<Object> row = new ArrayList<>(List.of(effect.name()));
            row.addAll(twoLevels ? List.of(effect.value(), effect.interval().low(), effect.interval().high())
                    : List.of(effect.test().degrees(), effect.test().f(), effect.test().probability()));
            row.add(effect.share() * PER_CENT);
            row.add(effect.withinNoise().map(noise -> noise ? "within noise" : "beyond noise").orElse("no interval"));
            if (confounded) {
                row.add(String.join(", ", effect.confounded()));
            }
            table.add(row);
        }
        effects.error().ifPresent(error -> {
            List<Object> row = new ArrayList<>(List.of("error"));
            if (twoLevels) {
                row.addAll(Collections.nCopies(3, null));
            } else {
                row.add(error.degrees());
                row.addAll(Collections.nCopies(2, null));
            }
            row.add(error.share() * PER_CENT);
            row.addAll(Collections.nCopies(columns.size() - row.size(), null));
            table.add(row);
        });
        return table;
    }

    /** @return a row for each point with its signs and responses */
    private Table signs(SignTable signs) {
        List<FigureName> responses = new ArrayList<>(List.of(experiment.response()));
        experiment.influence().other().ifPresent(other -> responses.add(other.response()));
        List<String> columns = new ArrayList<>(List.of("point"));
        columns.addAll(signs.terms());
        responses.forEach(response -> columns.add(response.column()));
        Table table = new Table(columns);
        for (SignTable.Row each : signs.rows()) {
            List<Object> row = new ArrayList<>(List.of(each.point().number()));
            row.addAll(each.signs());
            responses.forEach(response -> row.add(Figures.significant(
                    each.point().estimate(response.column()).value())));
            table.add(row);
        }
        return table;
    }

    private static Table levels(Effects effects) {
        Table table = Table.of("factor", "level", "effect", "low", "high");
        effects.levels().effects().forEach(level -> table.add(level.factor(), level.level(), level.value(),
                level.interval().low(), level.interval().high()));
        return table;
    }

    private static Table pairs(Effects effects) {
        Table table = Table.of("factor", "from", "to", "difference", "low", "high", "verdict");
        effects.levels().pairs().forEach(pair -> table.add(pair.factor(), pair.first(), pair.second(),
                pair.difference(), pair.interval().low(), pair.interval().high(),
                pair.isWithinNoise() ? "within noise" : "beyond noise"));
        return table;
    }

    private static Table tries(Search search) {
        Table table = Table.of("run", "level", "state", "holds", "broken");
        search.tries().forEach(each -> table.add(each.trial().run(), each.level(), each.trial().state().word(),
                each.holds() ? "yes" : "no", String.join(", ", each.broken())));
        return table;
    }

    private Table laws() {
        Table table = Table.of("run", "clients", "throughput", "response_ms", "think_ms", "deviation_percent");
        experiment.underLoad().laws().forEach(each -> table.add(each.trial().run(), each.law().clients(),
                each.law().throughput(), each.law().responseTime() * 1000, each.law().thinkTime() * 1000,
                each.law().deviation() * PER_CENT));
        return table;
    }

    private Table leftOut() {
        Table table = Table.of("run", "point", "repetition", "state", "reason");
        trials.all().stream().filter(trial -> !trial.isAccepted()).forEach(trial ->
                table.add(trial.run(), trial.point(),
                trial.repetition(), trial.state().word(), trial.reason()));
        return table;
    }

    private void addEstimate(List<Object> row, Trials.Point point, String column) {
        Interval interval = point.interval(column, experiment.confidence());
        row.add(Figures.significant(point.estimate(column).value()));
        row.add(Figures.significant(interval.low()));
        row.add(Figures.significant(interval.high()));
    }
}
