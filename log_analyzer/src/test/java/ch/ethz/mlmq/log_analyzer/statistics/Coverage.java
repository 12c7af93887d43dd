package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures how often intervals contain the truth, with many made-up runs of each law: for a run alone, for the
 * difference of two runs that are equal, and for the difference of repetitions that vary by 5 % from run to run.
 */
final class Coverage {
    static final int[] REPETITIONS = {2, 3, 5, 10};
    private static final double CONFIDENCE = 0.95;
    private static final double VARIES = 0.05;
    private static final long SERIES_SLOT_MS = 250;
    private static final int SLICES = 128;
    private static final double PER_CENT = 100;
    private static final double LIMIT = 0.1;
    private static final int COMPARISONS = 4_000;
    /** The 95th percentile of one long run of a queue is off by about a per cent. */
    private static final int LONG_RUNS = 5;

    private final double longRun;
    private final double seconds;
    private final int runs;
    private final long seed;

    /** The figures under test. */
    enum Figure {
        MEAN("mean", 0), MEDIAN("p50", 50), P95("p95", 95), P99("p99", 99), THROUGHPUT("throughput", 0);

        private final String words;
        /** 0 where it is no percentile. */
        private final double percent;

        Figure(String words, double percent) {
            this.words = words;
            this.percent = percent;
        }
    }

    /** Numbers of possible intervals, of intervals, and of intervals that contain the truth. */
    static final class Count {
        private final Map<Doubt, Integer> doubts = new EnumMap<>(Doubt.class);
        private final List<Double> seen = new ArrayList<>();
        private int held;
        private int broken;

        private void add(Interval interval, double truth, double size) {
            doubts.merge(interval.doubt(), 1, Integer::sum);
            held += interval.contains(truth) ? 1 : 0;
            if (interval.isKnown()) {
                seen.add((interval.high() - interval.low()) / 2 * Intervals.seenBeyond(CONFIDENCE, 0.8) / size);
            }
        }

        private void addDifference(Interval interval, double difference, double size) {
            add(interval, 0, size);
            broken += interval.isKnown() && !interval.contains(0) && difference > LIMIT * size ? 1 : 0;
        }

        private int all() {
            return doubts.values().stream().mapToInt(Integer::intValue).sum();
        }

        private int told() {
            return doubts.getOrDefault(Doubt.NONE, 0);
        }

        /** @return of those that there were [%] */
        double covered() {
            return PER_CENT * held / told();
        }

        /** @return of those that there might have been [%] */
        double wrong() {
            return PER_CENT * (told() - held) / all();
        }

        double untold() {
            return PER_CENT * (all() - told()) / all();
        }

        /** @return how often a limit of 10 % more was broken [%] */
        double broken() {
            return PER_CENT * broken / all();
        }

        /** @return the smallest change that is seen, median [%] */
        double seen() {
            double[] sorted = seen.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            return sorted.length == 0 ? Double.NaN : PER_CENT * sorted[sorted.length / 2];
        }

        String cell() {
            String untold = untold() == 0 ? "" : String.format(Locale.ROOT, " (%.0f%s)", untold(),
                    doubts.getOrDefault(Doubt.FEW, 0) > doubts.getOrDefault(Doubt.CORRELATED, 0) ? "f" : "");
            return told() == 0 ? "-" + untold : String.format(Locale.ROOT, "%.1f%s", covered(), untold);
        }
    }

    /** The results for one law: for a run alone, for two runs, and by the number of repetitions. */
    record Result(Map<Figure, Count> alone, Map<Figure, Count> two, Map<Integer, Map<Figure, Count>> repeated) {
    }

    /** A made-up run. */
    private record Made(Map<Figure, Estimate> estimates, Bootstrap.Sample sample) {

        Interval interval(Figure figure) {
            return figure.percent > 0 ? Bootstrap.of(sample, figure.percent, CONFIDENCE)
                    : estimates.get(figure).interval(CONFIDENCE);
        }

        Interval less(Made other, Figure figure) {
            return figure.percent > 0 ? Bootstrap.ofDifference(sample, other.sample, figure.percent, CONFIDENCE)
                    : estimates.get(figure).minus(other.estimates.get(figure)).interval(CONFIDENCE);
        }

        double value(Figure figure) {
            return estimates.get(figure).value();
        }

        Repetition repetition(Figure figure) {
            return new Repetition(value(figure), figure.percent > 0 ? Bootstrap.errorOf(sample, figure.percent) : 0);
        }
    }

    /** The figure of a run; its error is 0 where only repetitions tell it. */
    private record Repetition(double value, double error) {
    }

    /**
     * @param longRun length of each run that the truth is taken from [s]
     * @param seconds of a run
     * @param runs    of each law
     */
    Coverage(double longRun, double seconds, int runs, long seed) {
        this.longRun = longRun;
        this.seconds = seconds;
        this.runs = runs;
        this.seed = seed;
    }

    Result of(CoverageLaw law) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Made> truth = IntStream.range(0, LONG_RUNS).mapToObj(i -> made(law.longRun(longRun, random), longRun))
                .toList();
        List<Made> made = Arrays.stream(forEachRun(random)).parallel().map(own ->
                made(law.requests(seconds, 1, own), seconds)).toList();
        Map<Figure, Count> alone = counts();
        Map<Figure, Count> two = counts();
        for (Figure figure : Figure.values()) {
            double right = figure == Figure.THROUGHPUT ? CoverageLaw.RATE
                    : truth.stream().mapToDouble(run -> run.value(figure)).average().orElseThrow();
            List<Interval> ones = made.parallelStream().map(run -> run.interval(figure)).toList();
            List<Interval> differences = IntStream.range(0, runs).parallel().mapToObj(i ->
                    made.get(i).less(made.get((i + 1) % runs), figure)).toList();
            for (int i = 0; i < runs; i++) {
                alone.get(figure).add(ones.get(i), right, right);
                double before = made.get((i + 1) % runs).value(figure);
                two.get(figure).addDifference(differences.get(i), made.get(i).value(figure) - before, before);
            }
        }
        return new Result(alone, two, repeated(law, random));
    }

    /** Makes repetitions that vary in speed; each is used in several comparisons. */
    private Map<Integer, Map<Figure, Count>> repeated(CoverageLaw law, SplittableRandom random) {
        List<Map<Figure, Repetition>> made = Arrays.stream(forEachRun(random)).parallel().map(own -> {
            Made run = made(law.requests(seconds, Math.exp(VARIES * own.nextGaussian()), own), seconds);
            return Arrays.stream(Figure.values()).collect(Collectors.toMap(Function.identity(), run::repetition));
        }).toList();
        Map<Integer, Map<Figure, Count>> counts = new TreeMap<>();
        for (int repetitions : REPETITIONS) {
            counts.put(repetitions, counts());
            for (int i = 0; i < COMPARISONS; i++) {
                int[] chosen = random.ints(0, runs).distinct().limit(2L * repetitions).toArray();
                for (Figure figure : Figure.values()) {
                    Estimate before = mean(Arrays.stream(chosen, 0, repetitions)
                            .mapToObj(run -> made.get(run).get(figure)).toList());
                    Estimate after = mean(Arrays.stream(chosen, repetitions, 2 * repetitions)
                            .mapToObj(run -> made.get(run).get(figure)).toList());
                    counts.get(repetitions).get(figure).addDifference(after.minus(before).interval(CONFIDENCE),
                            after.value() - before.value(), before.value());
                }
            }
        }
        return counts;
    }

    /** As a group of runs is told. */
    private static Estimate mean(List<Repetition> repetitions) {
        return Estimate.ofMean(repetitions.stream().mapToDouble(Repetition::value).toArray(),
                repetitions.stream().mapToDouble(Repetition::error).toArray());
    }

    /** @return one of its own for each run, so that threads do not matter */
    private SplittableRandom[] forEachRun(SplittableRandom random) {
        return IntStream.range(0, runs).mapToObj(i -> random.split()).toArray(SplittableRandom[]::new);
    }

    private static Map<Figure, Count> counts() {
        return Arrays.stream(Figure.values()).collect(Collectors.toMap(Function.identity(), figure -> new Count()));
    }

    private static Made made(CoverageLaw.Requests requests, double seconds) {
        Series series = new Series(SERIES_SLOT_MS);
        Slices slices = new Slices();
        int[] durations = requests.durations();
        double sliceSeconds = Math.max(SERIES_SLOT_MS / 1e3, seconds / SLICES);
        int begin = 0;
        for (int i = 0; i < durations.length; i++) {
            series.add((int) (requests.times()[i] * 1e3 / SERIES_SLOT_MS), durations[i], 1);
            int slice = (int) (requests.times()[i] / sliceSeconds);
            if (i + 1 == durations.length || (int) (requests.times()[i + 1] / sliceSeconds) > slice) {
                slices.set(slice, Distribution.of(Arrays.copyOfRange(durations, begin, i + 1)));
                begin = i + 1;
            }
        }
        Distribution all = Distribution.of(durations);
        int slots = (int) Math.round(seconds * 1e3 / SERIES_SLOT_MS);
        Map<Figure, Estimate> estimates = Map.of(
                Figure.MEAN, CorrelatedMean.ofDurations(series, 0, slots).of(all.mean()),
                Figure.THROUGHPUT, CorrelatedMean.ofThroughput(series, 0, slots).of(durations.length / seconds),
                Figure.MEDIAN, Estimate.unknown(all.percentile(50), Doubt.FEW),
                Figure.P95, Estimate.unknown(all.percentile(95), Doubt.FEW),
                Figure.P99, Estimate.unknown(all.percentile(99), Doubt.FEW));
        return new Made(estimates, new Bootstrap.Sample(all, slices, true));
    }

    /** @param arguments seconds of a run, runs of each law, seed */
    public static void main(String[] arguments) {
        Coverage coverage = new Coverage(20_000, Double.parseDouble(arguments[0]), Integer.parseInt(arguments[1]),
                Long.parseLong(arguments[2]));
        System.out.printf("%s runs of %s s of each law, seed %s.%n", arguments[1], arguments[0], arguments[2]);
        System.out.println("How many of 100 intervals of 95 % hold the truth; in brackets, how many runs of 100 have "
                + "none, with f mostly for too few observations, else because they are still correlated.");
        System.out.print(line("law", names(""), names("2 runs "), List.of("seen mean", "p99")));
        StringBuilder verdicts = new StringBuilder("\nHow many of 100 comparisons of equals are called worse or "
                + "better, by the worst figure, and how many break a limit of +10 %.\n"
                + line("law", List.of("1 and 1"), repetitions(), limits()));
        for (CoverageLaw law : CoverageLaw.values()) {
            Result result = coverage.of(law);
            System.out.print(line(law.words(), cells(result.alone), cells(result.two),
                    List.of(number(result.two.get(Figure.MEAN).seen()), number(result.two.get(Figure.P99).seen()))));
            verdicts.append(line(law.words(), List.of(number(worst(result.two, Count::wrong))),
                    worstOfRepeated(result, Count::wrong), broken(result)));
        }
        System.out.print(verdicts);
    }

    /** @return the worst of all figures */
    static double worst(Map<Figure, Count> counts, Function<Count, Double> of) {
        return counts.values().stream().mapToDouble(of::apply).max().orElseThrow();
    }

    private static List<String> worstOfRepeated(Result result, Function<Count, Double> of) {
        return Arrays.stream(REPETITIONS).mapToObj(n -> number(worst(result.repeated.get(n), of))).toList();
    }

    private static List<String> broken(Result result) {
        List<String> cells = new ArrayList<>(List.of(number(worst(result.two, Count::broken))));
        cells.addAll(worstOfRepeated(result, Count::broken));
        return cells;
    }

    private static List<String> names(String before) {
        return Arrays.stream(Figure.values()).map(figure -> before + figure.words).toList();
    }

    private static List<String> repetitions() {
        return Arrays.stream(REPETITIONS).mapToObj(Integer::toString).toList();
    }

    private static List<String> limits() {
        List<String> limits = new ArrayList<>(List.of("limit 1"));
        limits.addAll(repetitions());
        return limits;
    }

    private static List<String> cells(Map<Figure, Count> counts) {
        return Arrays.stream(Figure.values()).map(figure -> counts.get(figure).cell()).toList();
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
    }

    private static String line(String law, List<String> first, List<String> second, List<String> third) {
        return String.format("%-42s", law) + Stream.of(first, second, third).flatMap(List::stream)
                .map(cell -> String.format("%18s", cell)).collect(Collectors.joining()) + "\n";
    }
}
