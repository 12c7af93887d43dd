package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.json.JsonObject;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.selfcheck.Verdict;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The final summary of a JVM of load clients: plan, results, and whether the client itself limited them. The results
 * are those of the measuring phase; messages are counted over the whole run.
 *
 * @param who       identity of the JVM
 * @param measuring the plan
 * @param registrations times of subscriptions, their first messages, and what was left in them
 * @param jvm       state of the JVM itself
 */
public record RunSummary(Who who, Measuring measuring, Recording recording, Figures figures, MessageLedger ledger,
        Registrations registrations, OfTheJvm jvm) {

    /**
     * The identity of the JVM.
     *
     * @param scenario  its name
     * @param driver    name of its clients' driver
     * @param pairing   {@code own} if its clients receive only what they send, else {@code any}
     * @param position  of the JVM among the clients
     * @param clients   that took part at the end
     * @param connected clients that had a connection when measuring ended
     */
    public record Who(String scenario, String driver, String pairing, int position, int clients, int connected) {
    }

    /**
     * The phase that is measured.
     *
     * @param startedMillis   its start [ms UTC]
     * @param durationSeconds its length [s]
     * @param plannedRate     requests that were to start [1/s]; null for a closed load
     * @param underWay        mean number of requests that were sent and not answered
     * @param parts           of the load by its plan, as they were
     */
    public record Measuring(long startedMillis, double durationSeconds, Double plannedRate, double underWay,
            List<PartOfLoad> parts) {
    }

    /**
     * A part of the load by its plan.
     *
     * @param number     from 1
     * @param name       for people
     * @param fromMillis its begin [ms UTC]
     * @param toMillis   its end [ms UTC]
     */
    public record PartOfLoad(int number, String name, long fromMillis, long toMillis) {
        private JsonObject toJson() {
            return new JsonObject().put("name", name).put("from_ms", fromMillis).put("to_ms", toMillis);
        }
    }

    /**
     * The state of the JVM itself.
     *
     * @param verdict            whether it limited the load
     * @param gcPauseMillis      time in garbage collections [ms]
     * @param longestStallMicros longest delay of the pacing thread [us]
     */
    public record OfTheJvm(Verdict verdict, long gcPauseMillis, long longestStallMicros) {
    }

    /** @return all of it, for {@code summary_<role>_<position>.json} */
    public JsonObject toJson() {
        JsonObject json = new JsonObject()
                .put("role", "client")
                .put("position", who.position)
                .put("scenario", who.scenario)
                .put("driver", who.driver)
                .put("pairing", who.pairing)
                .put("clients", who.clients)
                .put("connected", who.connected)
                .put("client_threads", jvm.verdict.clientThreads())
                .put("started_ms", measuring.startedMillis)
                .put("duration_s", measuring.durationSeconds)
                .put("planned_rate", measuring.plannedRate)
                .put("load", measuring.parts.isEmpty() ? null
                        : measuring.parts.stream().map(PartOfLoad::toJson).toList());
        return putFigures(json)
                .put("cpu_share", jvm.verdict.cpuShare())
                .put("busiest_thread_share", jvm.verdict.threadShare())
                .put("gc_pause_ms", jvm.gcPauseMillis)
                .put("longest_stall_ms", jvm.longestStallMicros / 1e3)
                .put("bottleneck", jvm.verdict.clientWasTheBottleneck().map(reason -> "client").orElse(null))
                .put("bottleneck_reason", jvm.verdict.clientWasTheBottleneck().orElse(null))
                .put("operations", operations())
                .put("sent", ledger.sent())
                .put("published", ledger.published())
                .put("received", ledger.received())
                .put("received_filling", ledger.receivedFilling())
                .put("unanswered_sends", ledger.unansweredSends())
                .put("unanswered_dequeues", ledger.unansweredDequeues())
                .put("all_phases", new JsonObject().put("ok", okOfAllPhases()).put("errors", errorsOfAllPhases()));
    }

    /** @return the results only, for a person at the command line */
    public JsonObject toFigures() {
        return putFigures(new JsonObject().put("planned", measuring.plannedRate)
                .put("started_ms", measuring.startedMillis))
                .put("connected", who.connected)
                .put("sent", ledger.sent())
                .put("received", ledger.received())
                .put("unanswered_sends", ledger.unansweredSends())
                .put("unanswered_dequeues", ledger.unansweredDequeues())
                .put("received_filling", ledger.receivedFilling())
                .put("bottleneck", jvm.verdict.clientWasTheBottleneck().orElse(null));
    }

    /** @return successful requests per second [1/s] */
    public double rate() {
        return perSecond(recording.counts(Phase.MEASURING).ok());
    }

    /** @return this count of the measuring phase per second [1/s] */
    public double perSecond(long count) {
        return count / measuring.durationSeconds;
    }

    private JsonObject putFigures(JsonObject json) {
        Counts measured = recording.counts(Phase.MEASURING);
        MessageCounts messages = recording.messages(Phase.MEASURING);
        return json.put("rate", rate())
                .put("under_way", measuring.underWay)
                .put("messages", new JsonObject()
                        .put("sent_rate", perSecond(messages.sent()))
                        .put("received_rate", perSecond(messages.received()))
                        .put("published_rate", perSecond(messages.published()))
                        .put("takes", messages.takes())
                        .put("empty_takes", messages.emptyTakes()))
                .put("e2e", times(figures.endToEnd()).put("count", figures.endToEnd().count())
                        .put("sent", messages.timed())
                        .put("clock_offset_ms", ClockOffset.toldOrNull()))
                .put("ack", times(figures.acknowledged()).put("count", figures.acknowledged().count())
                        .put("leased", recording.leased(Phase.MEASURING)))
                .put("subscribed", times(registrations.times()).put("count", registrations.times().count())
                        .put("rate", registrations.rate())
                        .put("left", registrations.left().isPresent() ? registrations.left().getAsLong() : null)
                        .put("times", registrations.eachTime()))
                .put("first_message", times(registrations.firsts()).put("count", registrations.firsts().count())
                        .put("times", registrations.eachFirst()))
                .put("started", measured.started())
                .put("ok", measured.ok())
                .put("errors", measured.errors())
                .put("overdue", recording.overdue().toJson())
                .put("late", measured.late())
                .put("late_by_client", measured.lateByClient())
                .put("response", times(figures.response()))
                .put("service", times(figures.service()));
    }

    private JsonObject operations() {
        JsonObject json = new JsonObject();
        figures.operations().forEach((operation, times) ->
                json.put(operation, times(times).put("count", times.count())));
        return json;
    }

    private long okOfAllPhases() {
        return recording.allCounts().stream().mapToLong(Counts::ok).sum();
    }

    private Map<String, Long> errorsOfAllPhases() {
        Map<String, Long> sums = new TreeMap<>();
        recording.allCounts().forEach(counts ->
                counts.errors().forEach((kind, count) -> sums.merge(kind, count, Long::sum)));
        return sums;
    }

    private static JsonObject times(TimeSummary times) {
        return new JsonObject().put("mean", times.mean()).put("p50", times.p50()).put("p99", times.p99())
                .put("max", times.max());
    }
}
