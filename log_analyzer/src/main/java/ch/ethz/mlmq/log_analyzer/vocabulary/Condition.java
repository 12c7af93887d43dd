package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A condition on a figure: {@code p99 < 50 ms}, {@code errors = 0}, {@code p99 > +10 %}, {@code queue steady}. The
 * grammar is that of {@code vocabulary/conditions.yml}.
 *
 * @param text     as it was written
 * @param relation of the figure to the limit
 * @param limit    in the base unit of the figure's dimension, or per cent of a change; a state is 1 where it holds
 * @param change   whether the change against a baseline is limited
 */
public record Condition(String text, Figure figure, Relation relation, double limit, boolean change) {
    private static final Map<String, Object> WORDS = Vocabulary.read("conditions.yml");
    private static final int LONGEST = (int) WORDS.get("longest");
    private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9_.]*)(?:\\(" + Pattern.quote(
            (String) WORDS.get("requests")) + "\\))?\\s*(<=|>=|<|>|=)\\s*([+-]?)([0-9]{1,12}(?:\\.[0-9]{1,9})?)\\s*"
            + "(%|us|ms|s|/s|1/s|[kM]?B/s|messages|copies|)");
    private static final Map<String, Figure> STATES = states();

    /**
     * @param judge who must know the figure
     * @throws IllegalArgumentException if the condition is invalid; its message follows the text in quotes
     */
    public static Condition parse(String text, Judge judge) {
        String stripped = text.strip();
        String squeezed = stripped.length() > LONGEST ? "" : stripped.replaceAll("\\s+", " ");
        Figure state = STATES.get(squeezed);
        if (state != null) {
            return new Condition(stripped, known(judge, state, squeezed), Relation.EQUAL, 1, false);
        }
        Matcher form = FORM.matcher(squeezed);
        if (!form.matches()) {
            throw wrong("form", Map.of("examples", examples(judge)));
        }
        Figure figure = Figure.named(form.group(1)).orElseThrow(() -> wrong("figure", Map.of("figure", form.group(1),
                "figures", names(judge))));
        known(judge, figure, form.group(1));
        String sign = form.group(3);
        double number = Double.parseDouble(sign + form.group(4));
        return new Condition(stripped, figure, Relation.of(form.group(2)), sign.isEmpty()
                ? number * size(figure.dimension(), form.group(5), judge) : change(number, form.group(5), judge),
                !sign.isEmpty());
    }

    /** @param value in the base unit of the figure's dimension, or per cent of a change; NaN if it is not known */
    public boolean holds(double value) {
        return relation.holds(value, limit);
    }

    private static Figure known(Judge judge, Figure figure, String asked) {
        if (!figure.known().contains(judge)) {
            throw wrong("place", Map.of("place", Figure.members(WORDS.get("judges")).get(judge.word()), "figure", asked,
                    "figures", names(judge)));
        }
        return figure;
    }

    private static double size(Dimension dimension, String unit, Judge judge) {
        Double size = dimension.units().get(unit.isEmpty() ? dimension.plain() : unit);
        if (size == null) {
            throw wrong(judge == Judge.COMPARISON ? "unit_or_change" : "unit", Map.of("units", dimension.words()));
        }
        return size;
    }

    private static double change(double percent, String unit, Judge judge) {
        if (judge != Judge.COMPARISON) {
            throw wrong("no_change", Map.of());
        }
        if (!unit.equals("%")) {
            throw wrong("change", Map.of());
        }
        return percent;
    }

    private static IllegalArgumentException wrong(String message, Map<String, Object> words) {
        String text = (String) Figure.members(WORDS.get("messages")).get(message);
        for (Map.Entry<String, Object> word : words.entrySet()) {
            text = text.replace("%{" + word.getKey() + "}", word.getValue().toString());
        }
        return new IllegalArgumentException(text);
    }

    private static String examples(Judge judge) {
        return ((List<?>) Figure.members(WORDS.get("examples")).get(judge.word())).stream().map(Object::toString)
                .collect(Collectors.joining(", "));
    }

    private static String names(Judge judge) {
        return Stream.concat(Figure.of(judge).stream(), STATES.values().stream().filter(state -> state.known()
                .contains(judge))).map(Figure::name).collect(Collectors.joining(", "));
    }

    private static Map<String, Figure> states() {
        Map<String, Figure> states = new LinkedHashMap<>();
        Figure.members(WORDS.get("states")).forEach((name, row) -> {
            Set<Judge> known = Figure.judges(Figure.members(row).get("known"));
            states.put(name, new Figure(name, Dimension.NONE, Figure.Better.NEITHER, "state", Double.NaN, known));
        });
        return states;
    }
}
