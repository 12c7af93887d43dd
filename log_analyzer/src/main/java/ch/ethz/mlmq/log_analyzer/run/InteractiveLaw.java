package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The interactive response time law N = X (R + Z): clients of a closed load are all either waiting or thinking. A
 * deviation means that something was not measured, or not steady.
 *
 * @param clients      N: a client with several requests in flight counts as that many
 * @param throughput   X [1/s]
 * @param responseTime R, mean [s]
 * @param thinkTime    Z, mean [s]
 */
public record InteractiveLaw(double clients, double throughput, double responseTime, double thinkTime) {
    private static final double US_PER_SECOND = 1e6;
    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?) ?(us|ms|s|min|h)?");
    private static final Map<String, Double> SECONDS = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0, "min", 60.0,
            "h", 3600.0);

    /** @return number of clients that throughput, response time and think time explain */
    public double accounted() {
        return throughput * (responseTime + thinkTime);
    }

    /** @return relative difference of that number from the actual one: 0.01 for one per cent more */
    public double deviation() {
        return accounted() / clients - 1;
    }

    /** @return the law in one line */
    public String words() {
        return "Interactive law: N = %s clients, X (R + Z) = %s /s x (%s ms + %s ms) = %s, %s %%.".formatted(
                Figures.rounded(clients, 0), Figures.rounded(throughput, 1), Figures.rounded(responseTime * 1000, 3),
                Figures.rounded(thinkTime * 1000, 3), Figures.rounded(accounted(), 2),
                Figures.rounded(deviation() * 100, 2));
    }

    /** @return the law for all clients of a run; empty if the load was open, or the think time is not known */
    public static Optional<InteractiveLaw> of(Run run) throws IOException {
        List<ClientSummary> summaries = run.summaries();
        Map<String, Map<String, String>> settings = run.settings();
        double clients = 0;
        double throughput = 0;
        double waiting = 0;
        double thinking = 0;
        for (ClientSummary summary : summaries) {
            Optional<Double> think = Optional.ofNullable(settings.get(summary.place().jvm()))
                    .flatMap(jvm -> meanSeconds(jvm.getOrDefault("client.think.time", "0")));
            double mean = summary.json().at("response", "mean").numberOr(Double.NaN);
            double rate = summary.json().at("rate").numberOr(Double.NaN);
            if (!summary.isClosed() || think.isEmpty() || Double.isNaN(mean) || !(rate > 0)) {
                return Optional.empty();
            }
            clients += summary.clients() * inflight(settings.get(summary.place().jvm()));
            throughput += rate;
            waiting += rate * mean / US_PER_SECOND;
            thinking += rate * think.get();
        }
        return throughput > 0 ? Optional.of(new InteractiveLaw(clients, throughput, waiting / throughput,
                thinking / throughput)) : Optional.empty();
    }

    private static double inflight(Map<String, String> settings) {
        String most = settings.getOrDefault("client.inflight.max", "1");
        return most.matches("[1-9]\\d{0,8}") ? Double.parseDouble(most) : 1;
    }

    /** @return the mean of {@code 10ms}, {@code exponential 10ms}, {@code uniform 5ms..15ms} or {@code 0} */
    static Optional<Double> meanSeconds(String thinkTime) {
        Matcher times = TIME.matcher(thinkTime);
        double sum = 0;
        int count = 0;
        while (times.find()) {
            sum += Double.parseDouble(times.group(1)) * SECONDS.get(times.group(2) == null ? "s" : times.group(2));
            count++;
        }
        return count == 0 ? Optional.empty() : Optional.of(sum / count);
    }
}
