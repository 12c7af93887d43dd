package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Breakdown of a request's time: mean times of stages that add up to the mean at the clients.
 *
 * @param of     whose time it is: {@code all requests}, or an operation
 * @param total  mean response time at the client, or in the broker if there is no client's log [us]
 * @param stages in the order in which a request passes them; the last is the rest
 */
public record Breakdown(String of, double total, List<Stage> stages) {
    public static final String ALL = "all requests";
    public static final String REMAINDER = "remainder";
    private static final String CLIENT = "CSndReq#OK#";
    private static final String SERVICE = ":service";
    private static final String BROKER = "BTotReqResp";
    private static final String PROCESS = "BProcReq#";
    private static final String DATABASE = "BDb#";

    /** One stage. @param mean time per request [us] */
    public record Stage(String name, double mean) {
    }

    /** @return all requests, then each operation; empty if neither clients' nor brokers' total times are there */
    public static List<Breakdown> of(Run run, TimeSelection cut) throws IOException {
        OptionalLong oneWindow = OptionalLong.of(Integer.MAX_VALUE);
        return of(PerformanceLogs.of(run.store()).read(cut, oneWindow, Grouping.byAction(CLIENT, "B")));
    }

    /** @param measured grouped by action, with all records of clients and brokers */
    public static List<Breakdown> of(Measurements measured) {
        List<Breakdown> breakdowns = new ArrayList<>();
        measured(measured).ifPresent(all -> {
            breakdowns.add(all);
            breakdowns.addAll(byOperation(measured));
        });
        return breakdowns;
    }

    /**
     * Makes a breakdown from logs of clients and brokers, grouped by action.
     *
     * @return empty if neither clients' nor brokers' total times are there
     */
    public static Optional<Breakdown> measured(Measurements measured) {
        Sums sums = new Sums(measured);
        boolean clients = sums.count(CLIENT) > 0;
        boolean brokers = sums.count(BROKER) > 0;
        if (!clients && !brokers) {
            return Optional.empty();
        }
        List<Stage> stages = new ArrayList<>();
        double broker = sums.mean(BROKER);
        double total = clients ? sums.mean(CLIENT) : broker;
        double left = total;
        if (clients && sums.serviceCount(CLIENT) > 0) {
            stages.add(new Stage("waiting in the client", total - sums.serviceMean(CLIENT)));
        }
        if (brokers) {
            double outside = clients ? total - sumOf(stages) - broker : 0;
            if (clients) {
                stages.add(new Stage("network and client", outside));
            }
            stages.addAll(brokerStages(sums));
        }
        left -= sumOf(stages);
        stages.add(new Stage(REMAINDER, left));
        return Optional.of(new Breakdown(ALL, total, List.copyOf(stages)));
    }

    /** Makes a breakdown for each operation in logs of both clients and brokers, with the stages known by operation. */
    private static List<Breakdown> byOperation(Measurements measured) {
        Sums sums = new Sums(measured);
        List<Breakdown> operations = new ArrayList<>();
        for (String operation : sums.operations()) {
            double total = sums.mean(CLIENT + operation);
            double work = sums.mean(PROCESS + operation);
            double database = sums.total(DATABASE + operation) / Math.max(1, sums.count(PROCESS + operation));
            if (sums.count(PROCESS + operation) > 0) {
                boolean open = sums.serviceCount(CLIENT + operation) > 0;
                double waiting = open ? total - sums.serviceMean(CLIENT + operation) : 0;
                List<Stage> stages = new ArrayList<>();
                addIfThere(stages, "waiting in the client", waiting);
                stages.addAll(List.of(new Stage("worker", work - database), new Stage("database", database),
                        new Stage(REMAINDER, total - waiting - work)));
                operations.add(new Breakdown(operation, total, List.copyOf(stages)));
            }
        }
        return operations;
    }

    private static List<Stage> brokerStages(Sums sums) {
        double requests = sums.count(BROKER);
        List<Stage> stages = new ArrayList<>();
        double waiting = sums.total("BPool") / requests;
        double database = sums.total(DATABASE) / requests;
        addIfThere(stages, "receiving", sums.total("BRcvReq") / requests);
        addIfThere(stages, "waiting for a message", sums.total("BWait") / requests);
        addIfThere(stages, "request queue", sums.total("BQueue") / requests);
        if (sums.count(PROCESS) > 0) {
            stages.add(new Stage("worker", sums.total(PROCESS) / requests - waiting - database));
        }
        addIfThere(stages, "waiting for a connection", waiting);
        sums.databaseOperations().forEach((operation, total) ->
                stages.add(new Stage("database: " + operation, total / requests)));
        addIfThere(stages, "response queue", sums.total("BRespQueue") / requests);
        addIfThere(stages, "sending", sums.total("BSndResp") / requests);
        return stages;
    }

    private static void addIfThere(List<Stage> stages, String name, double mean) {
        if (mean > 0) {
            stages.add(new Stage(name, mean));
        }
    }

    private static double sumOf(List<Stage> stages) {
        return stages.stream().mapToDouble(Stage::mean).sum();
    }

    /** Sums and counts of the measurement interval by the beginning of the action. */
    private static final class Sums {
        private final List<Measurements.Group> groups;
        /** Groups in the order of their names, so that those with a common prefix are adjacent. */
        private final TreeMap<String, List<Measurements.Group>> byName = new TreeMap<>();

        Sums(Measurements measured) {
            groups = measured.groups().stream().filter(group -> group.steady().count() > 0).toList();
            groups.forEach(group -> byName.computeIfAbsent(group.name().toLowerCase(Locale.ROOT),
                    unseen -> new ArrayList<>()).add(group));
        }

        double total(String prefix) {
            return sum(prefix, false, true);
        }

        double count(String prefix) {
            return sum(prefix, false, false);
        }

        double mean(String prefix) {
            return total(prefix) / count(prefix);
        }

        double serviceCount(String prefix) {
            return sum(prefix, true, false);
        }

        double serviceMean(String prefix) {
            return sum(prefix, true, true) / serviceCount(prefix);
        }

        TreeMap<String, Double> databaseOperations() {
            TreeMap<String, Double> operations = new TreeMap<>();
            groups.stream().filter(group -> group.name().startsWith(DATABASE)).forEach(group ->
                    operations.merge(group.name().substring(DATABASE.length()), durations(group), Double::sum));
            return operations;
        }

        /** @return names without the marks of some of their requests, such as {@code :empty} */
        List<String> operations() {
            return groups.stream().map(Measurements.Group::name)
                    .filter(name -> name.startsWith(CLIENT) && !name.endsWith(SERVICE))
                    .map(name -> name.substring(CLIENT.length()).replaceFirst(":.*", "")).distinct().toList();
        }

        private double sum(String prefix, boolean service, boolean durations) {
            String wanted = prefix.toLowerCase(Locale.ROOT);
            double sum = 0;
            for (Map.Entry<String, List<Measurements.Group>> named : byName.tailMap(wanted).entrySet()) {
                if (!named.getKey().startsWith(wanted)) {
                    break;
                }
                if (isOf(named.getKey(), wanted)) {
                    sum += named.getValue().stream().filter(group -> group.name().endsWith(SERVICE) == service)
                            .mapToDouble(group -> durations ? durations(group) : group.steady().count()).sum();
                }
            }
            return sum;
        }

        /** @return true if the action begins with the prefix as a whole word: send is not sendToClient */
        private static boolean isOf(String action, String prefix) {
            return action.startsWith(prefix) && (action.length() == prefix.length() || prefix.endsWith("#")
                    || !Character.isLetterOrDigit(action.charAt(prefix.length())));
        }

        private static double durations(Measurements.Group group) {
            Distribution steady = group.steady();
            return steady.mean() * steady.count();
        }
    }
}
