package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.JvmSeries;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * What a run with a broker for each publisher or for each subscriber measured. Brokers on one machine share its
 * processors, so the service time is their processor time for each message that they received: by the utilisation law,
 * the rate of a broker whose one processor is always busy is its inverse.
 *
 * @param atPublishers true with a broker for each publisher, false with one for each subscriber
 * @param publishers   n
 * @param subscribers  m
 * @param filters      of each subscriber, of one topic: a broker tests a message against those of its topic
 * @param copies       of a message, at all brokers
 * @param rate         of all publishers [1/s]
 * @param serviceTime  processor time of a broker for each message that it received [s]
 */
public record MeasuredLayout(boolean atPublishers, double publishers, double subscribers, double filters,
        double copies, double rate, double serviceTime) {
    private static final String KEY = "client.topic.layout";
    private static final String TOPICS = "client.topics";
    private static final String CPU = "cpu_ms";
    private static final double MS = 1_000;

    /** @throws DataException if the run has no such layout, or lacks what is needed */
    public static MeasuredLayout of(Run run) throws IOException {
        List<String> layouts = settings(run, KEY);
        require(layouts.equals(List.of("publisher")) || layouts.equals(List.of("subscriber")), run,
                "has no " + KEY + " of publisher or subscriber");
        boolean atPublishers = layouts.get(0).equals("publisher");
        List<ClientSummary> publishing = of("Publisher", run);
        List<ClientSummary> subscribing = of("Subscriber", run);
        TimeRange measured = run.measuringPhase().orElse(null);
        double rate = sum(publishing, "messages", "published_rate");
        double copies = sum(publishing, "messages", "sent_rate") / rate;
        require(measured != null && rate > 0 && !subscribing.isEmpty(), run, "measured no message of a topic");
        List<JvmSeries> processors = JvmSeries.gauges(run, CPU::equals).stream()
                .filter(each -> each.place().role().equals("broker") && !each.points().isEmpty()).toList();
        double publishers = publishing.stream().mapToDouble(ClientSummary::clients).sum();
        double subscribers = subscribing.stream().mapToDouble(ClientSummary::clients).sum();
        double brokers = atPublishers ? publishers : subscribers;
        require(processors.size() == brokers, run, "has the processor time of " + processors.size()
                + " brokers, not of " + Math.round(brokers));
        double busy = processors.stream().mapToDouble(each -> each.at(measured.toMs()) - each.at(measured.fromMs()))
                .sum() / (measured.toMs() - measured.fromMs());
        require(busy > 0, run, "has brokers that took no processor time");
        double topics = settings(run, TOPICS).stream().mapToDouble(Double::parseDouble).max().orElse(1);
        return new MeasuredLayout(atPublishers, publishers, subscribers, sum(subscribing, "subscribed", "count")
                / topics / subscribers / (atPublishers ? publishers : 1), copies, rate,
                busy / (atPublishers ? rate : rate * subscribers));
    }

    /** @return filters at one broker */
    public double filtersAtBroker() {
        return atPublishers ? subscribers * filters : filters;
    }

    /** @return copies of a message that one broker sends */
    public double copiesAtBroker() {
        return atPublishers ? copies : copies / subscribers;
    }

    /** @return highest rate of all publishers at that utilisation of each broker's one processor [1/s] */
    public double capacity(double utilisation) {
        return (atPublishers ? publishers : 1) * utilisation / serviceTime;
    }

    /** @return the values that JVMs of the run have of a setting */
    private static List<String> settings(Run run, String key) throws IOException {
        return run.settings().values().stream().map(each -> each.get(key)).filter(Objects::nonNull).distinct().toList();
    }

    private static void require(boolean condition, Run run, String otherwise) {
        if (!condition) {
            throw new DataException(run.store().name() + " " + otherwise + ".");
        }
    }

    private static double sum(List<ClientSummary> of, String... path) {
        return of.stream().mapToDouble(summary -> summary.json().at(path).numberOr(Double.NaN)).sum();
    }

    private static List<ClientSummary> of(String scenario, Run run) throws IOException {
        return run.summaries().stream().filter(summary -> summary.json().at("scenario").text()
                .filter(scenario::equals).isPresent()).toList();
    }
}
