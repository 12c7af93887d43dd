package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.vocabulary.Condition;
import ch.ethz.mlmq.log_analyzer.vocabulary.Judge;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The design of an experiment: the part of {@code experiment.json} that is the same in all its runs.
 *
 * @param id       of the experiment; empty if it is unknown
 * @param response the figure whose effects are computed
 * @param until    conditions that a level must keep, of a {@code find}
 */
public record Design(String id, String name, Plan plan, String response, List<Factor> factors,
        List<Condition> until) {
    /**
     * The combinations of levels, and the analysis of their runs.
     *
     * @param word       for the design, such as {@code 2k}
     * @param generators of a 2^(k-p) design, such as {@code d=abc}
     */
    public record Plan(String word, Analysis analysis, List<String> generators) {
    }

    /** Analyses of the runs. */
    public enum Analysis {
        /** An analysis of variance is made. */
        ANOVA("one-factor", "grid"),
        /** Effects of factors with two levels each are computed. */
        EFFECTS("2k", "2k-p"),
        /** The highest level that holds is searched. */
        SEARCH("find"),
        /** No effects are computed. */
        NONE("points");

        /** Designs whose default is this analysis. */
        private final List<String> designs;

        Analysis(String... designs) {
            this.designs = List.of(designs);
        }

        private static Analysis of(Json json) {
            Optional<String> asked = json.at("analysis").text();
            String design = json.at("design").text().orElse("points");
            return Arrays.stream(values()).filter(each -> asked.isPresent()
                    ? each.name().equalsIgnoreCase(asked.get()) : each.designs.contains(design)).findFirst()
                    .orElseThrow(() -> new DataException(asked.isPresent()
                            ? "analysis: '" + asked.get() + "' is none of " + Arrays.stream(values()).map(each ->
                                    each.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", ")) + "."
                            : "design: '" + design + "' is none of " + Arrays.stream(values()).flatMap(each ->
                                    each.designs.stream()).collect(Collectors.joining(", ")) + "."));
        }
    }

    /** @param json the content of {@code experiment.json} */
    public static Design of(Json json) {
        List<Factor> factors = json.at("factors").elements().stream().map(Design::factor).toList();
        if (factors.isEmpty()) {
            throw new DataException("The design has no factors: it needs [{\"name\", \"path\", \"levels\"}].");
        }
        if (factors.stream().map(Factor::name).distinct().count() < factors.size()) {
            throw new DataException("The design has two factors of the same name.");
        }
        Plan plan = new Plan(json.at("design").text().orElse("points"), Analysis.of(json),
                texts(json.at("generators")));
        List<Condition> until = texts(json.at("until").isMissing() ? json.at("find", "until") : json.at("until"))
                .stream().map(Design::condition).toList();
        return new Design(json.at("id").text().orElse(""), json.at("name").text().orElse("Experiment"), plan,
                json.at("response").text().orElse("throughput"), factors, until);
    }

    /** @return the same design with these factors */
    Design with(List<Factor> others) {
        return new Design(id, name, plan, response, others, until);
    }

    private static Condition condition(String text) {
        try {
            return Condition.parse(text, Judge.TRY);
        } catch (IllegalArgumentException e) {
            throw new DataException("until: '" + text + "' " + e.getMessage() + ".");
        }
    }

    private static Factor factor(Json json) {
        String name = json.at("name").text().orElseThrow(() -> new DataException("A factor has no name."));
        return new Factor(name, json.at("path").text().orElse(""), texts(json.at("levels")),
                json.at("unit").text().orElse(""));
    }

    private static List<String> texts(Json list) {
        return list.elements().stream().flatMap(each -> each.text().stream()).toList();
    }
}
