package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Figures of a run whose clients publish and subscribe, by all summaries together, over the whole load.
 *
 * <p>The copies of a message are those received over the messages published. Lost are those that the broker answered,
 * and that were neither received nor left at the end; a system that does not tell what is left has no loss, nor has a
 * run in which requests without a response may explain what is missing. Times of several JVMs are joined.
 */
final class TopicFigures {
    private static final double PER_CENT = 100;
    private static final double MEDIAN = 50;
    private static final double HIGH = 99;
    private static final String SUBSCRIBED = "subscribed";
    private static final String FIRST = "first_message";

    private final List<ClientSummary> publishers;
    private final List<ClientSummary> subscribers;

    private TopicFigures(List<ClientSummary> publishers, List<ClientSummary> subscribers) {
        this.publishers = publishers;
        this.subscribers = subscribers;
    }

    static TopicFigures of(List<ClientSummary> summaries) {
        return new TopicFigures(of("Publisher", summaries), of("Subscriber", summaries));
    }

    /** Puts the figures of a run; NaN where they were not measured. */
    void put(Map<Sampled, Estimate> found) {
        TreeMap<Long, Long> registrations = times(SUBSCRIBED);
        TreeMap<Long, Long> firsts = times(FIRST);
        put(found, Sampled.COPIES, copies());
        put(found, Sampled.LOST, lost());
        put(found, Sampled.SUBSCRIBE_RATE, subscribeRate());
        put(found, Sampled.SUBSCRIBE_P50, percentile(registrations, MEDIAN));
        put(found, Sampled.SUBSCRIBE_P99, percentile(registrations, HIGH));
        put(found, Sampled.FIRST_P50, percentile(firsts, MEDIAN));
        put(found, Sampled.FIRST_P99, percentile(firsts, HIGH));
        put(found, Sampled.FIRST_MAX, percentile(firsts, PER_CENT));
    }

    /** @return number of subscriptions whose first message was timed */
    long firstMessages() {
        return times(FIRST).values().stream().mapToLong(count -> count).sum();
    }

    /** JVMs subscribe together, so it takes all of them as long as the slowest; their rates do not add up. */
    private double subscribeRate() {
        double all = 0;
        double seconds = 0;
        for (ClientSummary each : subscribers) {
            double made = times(SUBSCRIBED, List.of(each)).values().stream().mapToLong(count -> count).sum();
            OptionalDouble rate = each.json().at(SUBSCRIBED, "rate").number();
            if (rate.isPresent()) {
                all += made;
                seconds = Math.max(seconds, made / rate.getAsDouble());
            }
        }
        return seconds > 0 ? all / seconds : Double.NaN;
    }

    private double copies() {
        double published = sum(publishers, "published");
        return subscribers.isEmpty() || !(published > 0) ? Double.NaN : sum(subscribers, "received") / published;
    }

    private double lost() {
        double sent = sum(publishers, "sent");
        if (subscribers.isEmpty() || !(sent > 0)) {
            return Double.NaN;
        }
        double left = subscribers.stream().mapToDouble(summary ->
                summary.json().at(SUBSCRIBED, "left").numberOr(Double.NaN)).sum();
        double lost = sent - sum(subscribers, "received") - left;
        return isTold(lost) ? lost / sent * PER_CENT : Double.NaN;
    }

    /** A publish without a response may have been stored: its copies would hide as many lost ones. */
    private boolean isTold(double lost) {
        return lost == 0 && sum(publishers, "unanswered_sends") == 0
                || lost > 0 && sum(subscribers, "unanswered_dequeues") == 0;
    }

    /** @return how many took so long [us] */
    private TreeMap<Long, Long> times(String of) {
        return times(of, subscribers);
    }

    private static TreeMap<Long, Long> times(String of, List<ClientSummary> summaries) {
        TreeMap<Long, Long> all = new TreeMap<>();
        summaries.forEach(summary -> summary.json().at(of, "times").elements().stream().map(Json::elements)
                .filter(pair -> pair.size() == 2).forEach(pair -> all.merge((long) pair.get(0).numberOr(0),
                        (long) pair.get(1).numberOr(0), Long::sum)));
        return all;
    }

    private static double percentile(TreeMap<Long, Long> times, double percent) {
        long all = times.values().stream().mapToLong(count -> count).sum();
        long rank = (long) Math.ceil(all * percent / PER_CENT);
        for (Map.Entry<Long, Long> each : times.entrySet()) {
            rank -= each.getValue();
            if (rank <= 0) {
                return each.getKey();
            }
        }
        return Double.NaN;
    }

    private static void put(Map<Sampled, Estimate> found, Sampled figure, double value) {
        found.put(figure, Estimate.unknown(value, Doubt.FEW));
    }

    private static double sum(List<ClientSummary> of, String count) {
        return of.stream().mapToDouble(summary -> summary.json().at(count).numberOr(Double.NaN)).sum();
    }

    private static List<ClientSummary> of(String scenario, List<ClientSummary> summaries) {
        return summaries.stream().filter(summary -> summary.json().at("scenario").text().filter(scenario::equals)
                .isPresent()).toList();
    }
}
