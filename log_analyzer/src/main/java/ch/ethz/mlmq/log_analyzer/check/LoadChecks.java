package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks whether the load was as planned: answered, without errors, in time, by all clients. */
final class LoadChecks {
    private static final String CLIENT = "CSndReq#";
    private static final String OK = "CSndReq#OK#";
    private static final String LATE_BY_CLIENT = "late_by_client";
    private static final String NEVER_STARTED = "NOT_STARTED";
    private static final String NEVER_ENDED = "UNANSWERED";
    private static final String UNANSWERED_DEQUEUES = "unanswered_dequeues";
    private static final double MOST_STALLED = 0.01; // share of the measured time
    /** Of ActiveMQ nobody knows what is left in a subscription. */
    private static final Set<String> TELL_WHAT_IS_LEFT = Set.of("mlmq", "amqp", "jdbc");

    private final List<ClientSummary> summaries;
    private final List<String> silent;
    private final Measurements measured;
    private final Map<String, Map<String, String>> settings;

    /**
     * @param silent   client JVMs without a summary, as one that was killed
     * @param settings of each JVM by its name, as far as they are known
     */
    LoadChecks(List<ClientSummary> summaries, List<String> silent, Measurements measured,
            Map<String, Map<String, String>> settings) {
        this.summaries = summaries;
        this.silent = silent;
        this.measured = measured;
        this.settings = settings;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(List.of(answers(), errors(), idleClients()));
        if (!summaries.isEmpty()) {
            findings.add(lateStarts());
            findings.add(plannedRate());
            findings.add(bottleneck());
        }
        copies().ifPresent(findings::add);
        return summaries.isEmpty() || silent.isEmpty() ? findings : findings.stream().map(finding ->
                finding.and("; " + String.join(", ", silent) + " left no summary")).toList();
    }

    private Finding answers() {
        Topic topic = Topic.REQUESTS_ANSWERED;
        double overdue = overdue("unanswered");
        if (overdue > 0) {
            return Finding.rejected(topic, "%s of the warm-up had no response when measuring ended, the longest for "
                    + "%s s%s", requests(overdue), Figures.rounded(longestOverdue(), 1), noneStarted()
                    ? "; no request was started while measuring" : "");
        }
        double started = summaries.stream().mapToDouble(summary -> summary.json().at("started").numberOr(0)).sum();
        double ended = summaries.stream().mapToDouble(summary -> summary.ok() + errorsOf(summary)
                - summary.errors().getOrDefault(NEVER_STARTED, 0.0)
                - summary.errors().getOrDefault(NEVER_ENDED, 0.0)).sum();
        String requests = "requests of the clients";
        if (started == 0) {
            requests = "requests of the brokers";
            started = countOf("BRcvReq");
            ended = countOf("BSndResp");
        }
        if (started == 0) {
            return Finding.unknown(topic, "neither the clients' summaries nor the brokers' logs have the number of "
                    + "requests");
        }
        double missing = Math.abs(started - ended) / started;
        String text = whole(started) + " " + requests + ", " + whole(ended) + " responses";
        if (missing == 0) {
            return Finding.good(topic, "%s", text);
        }
        return missing <= topic.rejected() ? Finding.warning(topic, "%s", text) : Finding.rejected(topic, "%s", text);
    }

    private Finding errors() {
        Map<String, Double> kinds = new TreeMap<>();
        double ok = 0;
        if (summaries.isEmpty()) {
            for (Measurements.Group group : measured.groups()) {
                String action = group.labels().get(0);
                if (action.startsWith(CLIENT) && !action.startsWith(OK)) {
                    kinds.merge(action.split("#", -1)[1], (double) group.steady().count(), Double::sum);
                }
            }
            ok = countOf(OK);
        } else {
            summaries.forEach(summary -> summary.errors()
                    .forEach((kind, count) -> kinds.merge(kind, count, Double::sum)));
            ok = summaries.stream().mapToDouble(ClientSummary::ok).sum();
        }
        double failed = kinds.values().stream().mapToDouble(Double::doubleValue).sum();
        if (ok + failed == 0) {
            return Finding.rejected(Topic.ERRORS, "clients recorded no request in the measurement interval%s",
                    noneStarted() ? ", as none was started" : "");
        }
        double share = failed / (ok + failed);
        String text = kinds.entrySet().stream().filter(kind -> kind.getValue() > 0)
                .map(kind -> whole(kind.getValue()) + " " + kind.getKey()).collect(Collectors.joining(", "));
        String told = text.isEmpty() ? "none in " + whole(ok) + " requests"
                : perCent(share) + " of " + whole(ok + failed) + " requests: " + text;
        double earlier = overdue("unanswered") + overdue("failed");
        if (earlier > 0) {
            told += "; beside these, " + requests(earlier) + " of the warm-up failed or had no response meanwhile";
        }
        return failed + earlier > 0 ? Finding.warning(Topic.ERRORS, "%s", told)
                : Finding.good(Topic.ERRORS, "%s", told);
    }

    /** @return number of requests of the warm-up that the measurement interval waited for */
    private double overdue(String how) {
        return summaries.stream().mapToDouble(summary -> summary.json().at("overdue").at(how).numberOr(0)).sum();
    }

    private double longestOverdue() {
        return summaries.stream().mapToDouble(summary -> summary.json().at("overdue").at("longest_s").numberOr(0))
                .max().orElse(0);
    }

    private boolean noneStarted() {
        return !summaries.isEmpty() && summaries.stream().allMatch(summary -> summary.json().at("started")
                .numberOr(-1) == 0);
    }

    private static String requests(double number) {
        return whole(number) + (number == 1 ? " request" : " requests");
    }

    private Finding idleClients() {
        Topic topic = Topic.CLIENTS_WORKED;
        List<String> idle = summaries.stream().filter(summary -> summary.ok() == 0)
                .map(summary -> summary.place().jvm() + (summary.errors().getOrDefault(NEVER_STARTED, 0.0) > 0
                        ? " (requests planned earlier still waited)" : "")).toList();
        long jvms = summaries.size();
        if (summaries.isEmpty()) {
            List<String> all = measured.files().stream().map(file -> file.log().place())
                    .filter(place -> place.role().equals("client")).map(place -> place.jvm()).distinct().toList();
            idle = all.stream().filter(jvm -> measured.groups().stream().noneMatch(group ->
                    group.labels().get(0).startsWith(OK) && group.labels().get(1).equals(jvm)
                            && group.steady().count() > 0)).toList();
            jvms = all.size();
        }
        if (jvms == 0) {
            return Finding.unknown(topic, "there is no log of a client");
        }
        return idle.isEmpty() ? Finding.good(topic, "%d client JVM%s, each with responses", jvms, jvms == 1 ? "" : "s")
                : Finding.rejected(topic, "these client JVMs got no response to a request planned in "
                        + "the measurement interval: %s", String.join(", ", idle));
    }

    /** @return empty if no subscriber says what was left in its subscriptions */
    private Optional<Finding> copies() {
        List<ClientSummary> subscribers = of("Subscriber");
        if (!silent.isEmpty() && (!subscribers.isEmpty() || !of("Publisher").isEmpty())) {
            return Optional.of(Finding.unknown(Topic.COPIES_KEPT, "not all clients tell what they sent and received"));
        }
        List<ClientSummary> untold = subscribers.stream().filter(summary -> left(summary).isEmpty()).toList();
        if (!untold.isEmpty() && (untold.size() < subscribers.size() || untold.stream().anyMatch(summary ->
                TELL_WHAT_IS_LEFT.contains(summary.json().at("driver").text().orElse(""))))) {
            return Optional.of(Finding.unknown(Topic.COPIES_KEPT, "not all clients tell what was left in their "
                    + "subscriptions"));
        }
        if (subscribers.isEmpty() || !untold.isEmpty()) {
            return Optional.empty();
        }
        List<ClientSummary> publishers = of("Publisher");
        double sent = sum(publishers, "sent");
        double received = sum(subscribers, "received");
        double left = subscribers.stream().mapToDouble(summary -> left(summary).getAsDouble()).sum();
        double lost = sent - received - left;
        String text = "of " + whole(sent) + " copies " + whole(received) + " were received, and " + whole(left)
                + " were left";
        double unanswered = lost > 0 ? sum(subscribers, UNANSWERED_DEQUEUES) : sum(publishers, "unanswered_sends");
        return Optional.of(lost == 0 && unanswered == 0 ? Finding.good(Topic.COPIES_KEPT, "%s", text)
                : differing(text, lost, unanswered, lost > 0 ? acknowledgedAtMost(subscribers) : Double.NaN));
    }

    /** @return number of messages that acknowledgements without a response may have ended, as far as it is known */
    private double acknowledgedAtMost(List<ClientSummary> subscribers) {
        return subscribers.stream().filter(summary -> summary.json().at(UNANSWERED_DEQUEUES).numberOr(0) > 0)
                .mapToDouble(summary -> summary.json().at(UNANSWERED_DEQUEUES).numberOr(0) * batch(summary)).sum();
    }

    /** @return most messages that an acknowledgement of this JVM ends; infinite if its settings are not known */
    private double batch(ClientSummary summary) {
        Map<String, String> own = settings.getOrDefault(summary.place().jvm(), Map.of());
        try {
            return own.isEmpty() ? Double.POSITIVE_INFINITY : Integer.parseInt(own.getOrDefault("client.batch", "1"));
        } catch (NumberFormatException e) {
            return Double.POSITIVE_INFINITY;
        }
    }

    /**
     * @param unanswered requests without a response, which may have been executed: they explain a difference
     * @param explained  copies that they explain at most; NaN if it is not known
     */
    private static Finding differing(String counts, double lost, double unanswered, double explained) {
        String text = counts + ": " + (lost == 0 ? "none is missing"
                : whole(Math.abs(lost)) + (lost > 0 ? " are lost" : " are too many"));
        if (unanswered > 0 && lost > explained) {
            return Finding.warning(Topic.COPIES_KEPT, "%s, of which %s acknowledgements without a response explain %s "
                    + "at most", text, whole(unanswered), whole(explained));
        }
        return unanswered == 0 ? Finding.warning(Topic.COPIES_KEPT, "%s", text)
                : Finding.unknown(Topic.COPIES_KEPT, "%s, but %s %s got no response", text, whole(unanswered),
                        lost > 0 ? "acknowledgements" : "publishes");
    }

    private static double sum(List<ClientSummary> of, String count) {
        return of.stream().mapToDouble(summary -> summary.json().at(count).numberOr(0)).sum();
    }

    private List<ClientSummary> of(String scenario) {
        return summaries.stream().filter(summary -> summary.json().at("scenario").text().filter(scenario::equals)
                .isPresent()).toList();
    }

    private static OptionalDouble left(ClientSummary subscriber) {
        return subscriber.json().at("subscribed").at("left").number();
    }

    /**
     * Checks starts that the clients themselves delayed. Delays by the system under test are part of response times,
     * which count from the intended start.
     */
    private Finding lateStarts() {
        double late = summaries.stream().mapToDouble(ClientSummary::late).sum();
        double all = summaries.stream().mapToDouble(summary -> summary.ok() + errorsOf(summary)).sum();
        double worst = summaries.stream().mapToDouble(summary -> lateByClient(summary).orElse(0)
                / Math.max(1, summary.ok() + errorsOf(summary))).max().orElse(0);
        String text = late == 0 ? "none" : whole(late) + " requests, " + perCent(late / Math.max(1, all))
                + heldUpByClients(worst);
        if (worst > Topic.LATE_STARTS.rejected()) {
            return Finding.rejected(Topic.LATE_STARTS, "%s; the load was not as planned", text);
        }
        return late > 0 ? Finding.warning(Topic.LATE_STARTS, "%s", text) : Finding.good(Topic.LATE_STARTS, "%s", text);
    }

    /**
     * @return the number of late starts that clients themselves caused, in words; empty if not all clients report it
     */
    private String heldUpByClients(double worst) {
        double[] own = summaries.stream().map(LoadChecks::lateByClient).filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble).toArray();
        return own.length < summaries.size() ? "; the summaries do not say what delayed them"
                : ", of them " + whole(Arrays.stream(own).sum()) + " by the clients themselves"
                        + (summaries.size() > 1 && worst > 0 ? " (in the worst JVM " + perCent(worst) + ")" : "");
    }

    private static OptionalDouble lateByClient(ClientSummary summary) {
        return summary.json().at(LATE_BY_CLIENT).number();
    }

    private Finding plannedRate() {
        List<ClientSummary> open = summaries.stream().filter(summary -> !summary.isClosed()).toList();
        if (open.isEmpty()) {
            return Finding.good(Topic.PLANNED_RATE, "closed load: clients send at the rate of the responses");
        }
        double planned = open.stream().mapToDouble(summary -> summary.json().at("planned_rate").numberOr(0)).sum();
        double achieved = open.stream().mapToDouble(summary -> summary.json().at("rate").numberOr(0)).sum();
        String text = perCent(achieved / planned) + " of " + whole(planned) + " /s";
        if (achieved >= Topic.PLANNED_RATE.warning() * planned) {
            return Finding.good(Topic.PLANNED_RATE, "%s reached", text);
        }
        boolean waited = open.stream().anyMatch(summary -> summary.errors().getOrDefault(NEVER_STARTED, 0.0) > 0);
        return Finding.warning(Topic.PLANNED_RATE, "only %s reached%s", text, waited
                ? "; other responses of these seconds belong to requests planned earlier" : "");
    }

    /**
     * Checks pauses of client JVMs. A paused JVM starts no requests and reads no responses, so its silence is not that
     * of the system under test.
     */
    private Finding bottleneck() {
        List<String> limited = summaries.stream()
                .filter(summary -> summary.json().at("bottleneck").text().filter("client"::equals).isPresent())
                .map(summary -> summary.place().jvm() + summary.json().at("bottleneck_reason").text()
                        .map(reason -> " (" + reason + ")").orElse("")).collect(Collectors.toList());
        summaries.stream().filter(LoadChecks::stoodStill).map(summary -> summary.place().jvm()
                + " (the JVM or its machine was stalled for " + Figures.rounded(stallMs(summary) / 1000, 1) + " s)")
                .forEach(limited::add);
        return limited.isEmpty() ? Finding.good(Topic.CLIENTS_NOT_THE_LIMIT, "no client JVM reports that it was the "
                + "bottleneck")
                : Finding.rejected(Topic.CLIENTS_NOT_THE_LIMIT, "limited by %s", String.join(", ", limited));
    }

    private static boolean stoodStill(ClientSummary summary) {
        double measuredMs = summary.measured().map(own -> (double) own.toMs() - own.fromMs()).orElse(0.0);
        return stallMs(summary) >= Math.max(Topic.CLIENTS_NOT_THE_LIMIT.rejected(), MOST_STALLED * measuredMs);
    }

    private static double stallMs(ClientSummary summary) {
        return summary.json().at("longest_stall_ms").numberOr(0);
    }

    private double countOf(String prefix) {
        return measured.groups().stream().filter(group -> group.labels().get(0).startsWith(prefix))
                .mapToDouble(group -> group.steady().count()).sum();
    }

    private static double errorsOf(ClientSummary summary) {
        return summary.errors().values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static String whole(double number) {
        return Figures.grouped(Figures.rounded(number, 0));
    }

    private static String perCent(double share) {
        return Figures.rounded(share * 100, share < 0.01 ? 4 : 2) + " %";
    }
}
