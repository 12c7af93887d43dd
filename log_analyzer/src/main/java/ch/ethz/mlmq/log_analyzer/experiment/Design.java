package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.vocabulary.Condition;
import ch.ethz.mlmq.log_analyzer.vocabulary.Judge;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What an experiment varies, and how: the part of {@code experiment.json} that is the same in all its runs.
 *
 * @param id         of the experiment; empty where it is not told
 * @param generators of a 2^(k-p) design, such as {@code d=abc}
 * @param response   the figure whose effects are asked for
 * @param until      what a rate must keep to hold, of a {@code find}
 */
public record Design(String id, String name, Kind kind, List<String> generators, String response,
        List<Factor> factors, List<Condition> until) {
    /** Which runs a design has. */
    public enum Kind {
        ONE_FACTOR("one-factor"), GRID("grid"), TWO_LEVELS("2k"), FRACTION("2k-p"), POINTS("points"), FIND("find");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** @return as it is written in the JSON */
        public String word() {
            return word;
        }

        static Kind named(String word) {
            return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst()
                    .orElseThrow(() -> new DataException("design: '" + word + "' is none of " + Arrays.stream(values())
                            .map(Kind::word).collect(Collectors.joining(", ")) + "."));
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
        Kind kind = Kind.named(json.at("design").text().orElse("points"));
        List<Condition> until = texts(json.at("until").isMissing() ? json.at("find", "until") : json.at("until"))
                .stream().map(Design::condition).toList();
        return new Design(json.at("id").text().orElse(""), json.at("name").text().orElse("Experiment"), kind,
                texts(json.at("generators")), json.at("response").text().orElse("throughput"), factors, until);
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
