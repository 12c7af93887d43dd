package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A figure by which runs are judged: a row of {@code vocabulary/figures.yml}, or any other percentile.
 *
 * @param name           such as {@code p99}
 * @param dimension      of its value
 * @param better         which values are
 * @param of             kind of computation: throughput, mean, percentile, end_to_end, acknowledged, max, share,
 * messages, backlog, drain, recovery, cost, or state
 * @param percent        of a percentile; else NaN
 * @param known          judges that know it
 */
public record Figure(String name, Dimension dimension, Better better, String of, double percent,
        Set<Judge> known) {
    private static final Pattern PERCENTILE = Pattern.compile("p(\\d{1,2}(?:\\.\\d{1,4})?)");
    private static final Map<String, String> OTHER_NAMES = new LinkedHashMap<>();
    private static final Map<String, Figure> FIGURES = read();

    /** The values of a figure that are better than others; of a property of a load they are neither. */
    public enum Better {
        HIGHER, LOWER, NEITHER;

        private static Better of(Object word) {
            return word == null ? NEITHER : valueOf(word.toString().toUpperCase(Locale.ROOT));
        }
    }

    /** @return the figure of this name, which may be another spelling of it */
    public static Optional<Figure> named(String asked) {
        String name = OTHER_NAMES.getOrDefault(asked, asked);
        Matcher percentile = PERCENTILE.matcher(name);
        return percentile.matches() ? Optional.of(percentile(Double.parseDouble(percentile.group(1))))
                : Optional.ofNullable(FIGURES.get(name));
    }

    /** @return those that a judge can know, in the order of the vocabulary; percentiles without a row are not there */
    public static List<Figure> of(Judge judge) {
        return FIGURES.values().stream().filter(figure -> figure.known.contains(judge)).toList();
    }

    /** @return names of {@link #of}, for a message */
    public static String names(Judge judge) {
        return of(judge).stream().map(Figure::name).collect(Collectors.joining(", "));
    }

    /** @return the title of its column in an experiment's table, such as {@code p99 [ms]} */
    public String column() {
        return dimension == Dimension.NONE ? name : name + " [" + dimension.plain() + "]";
    }

    private static Figure percentile(double percent) {
        String written = String.format(Locale.ROOT, "%.4f", percent).replaceFirst("\\.?0+$", "");
        Figure known = FIGURES.get("p" + written);
        Figure like = FIGURES.get("p99");
        return known != null ? known
                : new Figure("p" + written, like.dimension, like.better, like.of, percent, like.known);
    }

    private static Map<String, Figure> read() {
        Map<String, Object> file = Vocabulary.read("figures.yml");
        Map<String, Dimension> dimensions = new LinkedHashMap<>();
        members(file.get("dimensions")).forEach((name, row) -> dimensions.put(name, dimension(members(row))));
        Map<String, Figure> figures = new LinkedHashMap<>();
        members(file.get("figures")).forEach((name, row) -> {
            Map<String, Object> words = members(row);
            figures.put(name, new Figure(name, dimensions.get((String) words.get("dimension")),
                    Better.of(words.get("better")), (String) words.get("of"),
                    words.get("percent") instanceof Number percent ? percent.doubleValue() : Double.NaN,
                    judges(words.get("known"))));
            if (words.get("also") instanceof String other) {
                OTHER_NAMES.put(other, name);
            }
        });
        return figures;
    }

    private static Dimension dimension(Map<String, Object> row) {
        Map<String, Double> units = new LinkedHashMap<>();
        members(row.get("units")).forEach((unit, size) -> units.put(unit, ((Number) size).doubleValue()));
        return new Dimension(Map.copyOf(units), units.keySet().iterator().next(), (String) row.get("plain"),
                (String) row.get("words"));
    }

    static Set<Judge> judges(Object words) {
        return ((List<?>) words).stream().map(word -> Judge.valueOf(word.toString().toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Judge.class)));
    }

    static Map<String, Object> members(Object map) {
        Map<String, Object> members = new LinkedHashMap<>();
        Stream.of((Map<?, ?>) map).flatMap(each -> each.entrySet().stream())
                .forEach(entry -> members.put(entry.getKey().toString(), entry.getValue()));
        return members;
    }
}
