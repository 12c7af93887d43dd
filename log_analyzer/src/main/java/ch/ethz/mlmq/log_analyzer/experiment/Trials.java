package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The runs of an experiment; the factors of its design have all levels that runs have.
 *
 * @param remarks sentences about all of them
 */
public record Trials(Design design, List<Trial> all, List<String> remarks) {
    private static final Pattern PERCENTILE = Pattern.compile("(p[0-9.]+|max) .*");
    /** The longest times of messages are of those that never came. */
    private static final Pattern MESSAGES = Pattern.compile("(e2e|ack)_p[0-9.]+ .*");
    private static final String ERRORS = "errors [%]";
    /** Times of a load with phases; the load may end before them. */
    private static final Set<String> OF_PHASES = Set.of("drain [s]", "recovery [s]");
    private static final int MOST_NAMED = 10;

    public Trials {
        List<Factor> factors = new ArrayList<>();
        for (int i = 0; i < design.factors().size(); i++) {
            int index = i;
            Factor factor = design.factors().get(i);
            Set<String> levels = new LinkedHashSet<>(factor.levels());
            all.forEach(trial -> levels.add(trial.levels().get(index)));
            factors.add(new Factor(factor.name(), factor.path(), List.copyOf(levels), factor.unit()));
        }
        design = design.with(factors);
    }

    public Trials(Design design, List<Trial> all) {
        this(design, all, List.of());
    }

    /**
     * One combination of levels.
     *
     * @param number   as in the runs' files
     * @param accepted runs, which count
     * @param others   rejected, failed or skipped
     */
    public record Point(int number, List<String> levels, List<Trial> accepted, List<Trial> others) {

        /**
         * @return the mean over the accepted runs that have the figure, with its error if there are several. Equal
         * values, such as no errors in each, tell nothing about it. A percentile has no mean if it lies among failed
         * requests in one of them, a time of messages if one does not tell it, or the time to drain or to recover if
         * one did not: the mean of the others is too good.
         */
        public Estimate estimate(String column) {
            Estimate mean = Estimate.ofMean(having(column).mapToDouble(trial -> trial.figure(column)).toArray());
            return mean.error() == 0 ? Estimate.unknown(mean.value(), Doubt.FEW) : mean;
        }

        private Stream<Trial> having(String column) {
            boolean among = accepted.stream().anyMatch(trial -> !Double.isFinite(trial.figure(column))
                    && (MESSAGES.matcher(column).matches() || OF_PHASES.contains(column)
                    || PERCENTILE.matcher(column).matches() && trial.figure(ERRORS) > 0));
            return accepted.stream().filter(trial -> !among && Double.isFinite(trial.figure(column)));
        }

        /** @return confidence interval of the mean; not below 0 if the figure cannot be */
        public Interval interval(String column, double confidence) {
            Interval interval = estimate(column).interval(confidence);
            boolean canBeNegative = accepted.stream().anyMatch(trial -> trial.figure(column) < 0);
            return canBeNegative ? interval : new Interval(Math.max(0, interval.low()), interval.high());
        }

        /** @return number of accepted runs that have the figure */
        public long count(String column) {
            return having(column).count();
        }
    }

    /** @return the accepted runs that have this figure */
    public List<Trial> with(String column) {
        return all.stream().filter(Trial::isAccepted).filter(trial -> Double.isFinite(trial.figure(column))).toList();
    }

    /** @return a sentence if accepted runs lack this figure, so that effects rest on the others only */
    Optional<String> remarkOnThoseWithout(String column) {
        List<Trial> without = all.stream().filter(Trial::isAccepted)
                .filter(trial -> !Double.isFinite(trial.figure(column))).toList();
        if (without.isEmpty()) {
            return Optional.empty();
        }
        boolean failed = PERCENTILE.matcher(column).matches() && without.stream()
                .anyMatch(trial -> trial.figure(ERRORS) > 0);
        return Optional.of("Effects are without run%s %s: %s%s.".formatted(without.size() == 1 ? "" : "s",
                without.stream().map(Trial::run).limit(MOST_NAMED).collect(Collectors.joining(", "))
                        + (without.size() > MOST_NAMED ? ", …" : ""),
                failed ? "its requests failed so often that there is no " + column : "there is no " + column,
                failed ? ", and what is left is too good" : ""));
    }

    /** @return each point with its runs, by number */
    public List<Point> points() {
        Map<Integer, List<Trial>> byPoint = all.stream()
                .collect(Collectors.groupingBy(Trial::point, TreeMap::new, Collectors.toList()));
        return byPoint.entrySet().stream().map(entry -> new Point(entry.getKey(), entry.getValue().get(0).levels(),
                entry.getValue().stream().filter(Trial::isAccepted).toList(),
                entry.getValue().stream().filter(trial -> !trial.isAccepted()).toList())).toList();
    }

    /** @return the figures that any run has, in the order of the table, except those for the interactive law */
    public List<FigureName> figures() {
        return columns().stream().filter(column -> !Laws.COLUMNS.contains(column)).map(FigureName::of).toList();
    }

    Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>();
        all.forEach(trial -> columns.addAll(trial.figures().keySet()));
        return columns;
    }

    /** @param asked with or without unit; null for the design's response */
    public FigureName response(String asked) {
        String wanted = asked == null ? design.response() : asked;
        return figures().stream().filter(figure -> figure.isCalled(wanted)).findFirst()
                .orElseThrow(() -> new UsageException("No run has the figure '" + wanted + "'. There are: "
                        + figures().stream().map(FigureName::column).collect(Collectors.joining(", ")) + "."));
    }

    /** @return the levels of a factor in the runs: by size if they are numbers, else in the order of the design */
    public List<String> levelsOf(int factor) {
        Set<String> met = all.stream().map(trial -> trial.levels().get(factor)).collect(Collectors.toSet());
        Factor named = design.factors().get(factor);
        Stream<String> levels = named.levels().stream().filter(met::contains);
        return named.isNumeric() ? levels.sorted(Comparator.comparingDouble(level ->
                named.number(level).orElseThrow())).toList() : levels.toList();
    }

    /** @return these levels, the low one first: in the order of the design if it has generators, else by size */
    List<String> lowFirst(int factor) {
        List<String> met = levelsOf(factor);
        return design.plan().generators().isEmpty() ? met
                : design.factors().get(factor).levels().stream().filter(met::contains).toList();
    }

    /**
     * @return the points that differ only in this factor, by its levels, for each combination of the other factors'
     * levels
     */
    public Map<List<String>, List<Point>> lines(int factor) {
        Map<List<String>, List<Point>> lines = new LinkedHashMap<>();
        List<String> order = levelsOf(factor);
        for (Point point : points()) {
            List<String> others = IntStream.range(0, point.levels().size()).filter(i -> i != factor)
                    .mapToObj(point.levels()::get).toList();
            lines.computeIfAbsent(others, unseen -> new ArrayList<>()).add(point);
        }
        lines.values().forEach(line -> line.sort(Comparator.comparingInt(point ->
                order.indexOf(point.levels().get(factor)))));
        return lines;
    }

    /** @return levels of the other factors, in words; empty if there are none */
    public String words(int factor, List<String> others) {
        List<Factor> factors = IntStream.range(0, design.factors().size()).filter(i -> i != factor)
                .mapToObj(design.factors()::get).toList();
        return IntStream.range(0, factors.size()).mapToObj(i -> factors.get(i).name() + " " + others.get(i))
                .collect(Collectors.joining(", "));
    }
}
