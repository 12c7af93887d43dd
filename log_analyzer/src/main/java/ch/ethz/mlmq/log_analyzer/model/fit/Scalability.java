package ch.ethz.mlmq.log_analyzer.model.fit;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The universal scalability law X(N) = γ N / (1 + α (N − 1) + β N (N − 1)): N. J. Gunther, <i>Guerrilla Capacity
 * Planning</i>, Springer 2007, (4.31), with the throughput of one as a parameter. N / X(N) is linear in 1/γ, α/γ, β/γ,
 * so it is fitted like service times, none of them negative.
 *
 * @param ofOne      γ, throughput with one [1/s]
 * @param contention α, the serial share
 * @param coherency  β, the cost of agreement for each pair
 */
public record Scalability(double ofOne, double contention, double coherency) {

    /** A parameter with its interval. @param value NaN if there is none */
    public record Figure(String name, double value, Interval interval) {
    }

    /** @param size the column of N: clients, brokers, workers or connections */
    public static ServiceTimeFit fit(Observations table, String size, String throughput) {
        double[] sizes = table.positive(size);
        double[] rates = table.positive(throughput);
        double[] times = IntStream.range(0, sizes.length).mapToDouble(i -> sizes[i] / rates[i]).toArray();
        List<double[]> rows = Arrays.stream(sizes).mapToObj(n -> new double[] {n - 1, n * (n - 1)}).toList();
        Observations columns = new Observations(List.of("contention", "coherency"), rows);
        return ServiceTimeFit.of(Regressor.form("1,contention,coherency"), columns, times);
    }

    /** @param coefficients of the linear form */
    public static Scalability of(double[] coefficients) {
        return new Scalability(1 / coefficients[0], coefficients[1] / coefficients[0],
                coefficients[2] / coefficients[0]);
    }

    /** @return parameters, the N of the highest throughput, and that throughput [1/s], each with its interval */
    public static List<Figure> figures(ServiceTimeFit fit, int resamples, double level) {
        if (!(fit.coefficients()[0] > 0)) {
            throw new DataException("Throughput grows faster than the number, so the law has no throughput of one for "
                    + "it.");
        }
        Scalability law = of(fit.coefficients());
        List<Scalability> drawn = Arrays.stream(fit.resample(resamples)).map(Scalability::of).toList();
        List<Figure> figures = new ArrayList<>();
        figures.add(figure("throughput_of_one", Scalability::ofOne, law, drawn, level));
        figures.add(figure("contention", Scalability::contention, law, drawn, level));
        figures.add(figure("coherency", Scalability::coherency, law, drawn, level));
        figures.add(figure("peak", Scalability::peak, law, drawn, level));
        figures.add(figure("throughput_at_peak", Scalability::highest, law, drawn, level));
        return figures;
    }

    /** @return throughput with this number [1/s] */
    public double at(double n) {
        return ofOne * n / (1 + contention * (n - 1) + coherency * n * (n - 1));
    }

    /** @return the N of the highest throughput √((1 − α)/β), at least one; infinite if throughput never falls */
    public double peak() {
        return coherency > 0 ? Math.max(1, Math.sqrt(Math.max(0, 1 - contention) / coherency))
                : Double.POSITIVE_INFINITY;
    }

    /** @return the highest throughput [1/s]; if it never falls, its limit γ/α */
    public double highest() {
        return coherency > 0 ? at(peak()) : ofOne / contention;
    }

    /** @return the law in words */
    public String words() {
        return coherency > 0 ? String.format(Locale.ROOT, "Throughput is highest with %.1f.", peak())
                : "Throughput does not fall in the measured range (no coherency).";
    }

    private static Figure figure(String name, ToDoubleFunction<Scalability> of, Scalability law,
            List<Scalability> drawn, double level) {
        return new Figure(name, of.applyAsDouble(law),
                Interval.ofMiddle(level, drawn.stream().mapToDouble(of).toArray()));
    }
}
