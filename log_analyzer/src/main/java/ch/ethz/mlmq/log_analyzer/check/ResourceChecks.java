package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.run.MachineLoad;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.Samples;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Checks machines against their calibration before the load: whether each was in its normal, and how much of its
 * network, and of its memory, the run used. The Testmaster, which has the earlier calibrations, judged the normal.
 */
final class ResourceChecks {
    private static final Map<String, String> WORDS = Map.of("processor", "the fixed piece of work", "flush",
            "a flush of the disk", "round_trip", "a round trip in the network");
    private static final String NETWORK = "network";
    private static final double US_PER_MS = 1_000;
    private static final double BYTES_PER_MB = 1_000_000;
    private static final double PER_CENT = 100;
    private static final double SMALL = 0.01;

    private final Run run;
    private final long fromMs;
    private final long toMs;

    ResourceChecks(Run run, Measurements measured) {
        this.run = run;
        fromMs = measured.steadyFromMs();
        toMs = measured.steadyToMs();
    }

    /** @return no findings about what earlier runs did not measure */
    List<Finding> findings() throws IOException {
        Map<String, Json> calibrations = new LinkedHashMap<>();
        for (Json machine : run.environment().at("machines").elements()) {
            Json calibration = machine.at("calibration");
            if (!calibration.isMissing()) {
                calibrations.put(machine.at("name").text().orElse(""), calibration);
            }
        }
        List<Finding> findings = new ArrayList<>();
        if (!calibrations.isEmpty()) {
            findings.add(normal(calibrations));
        }
        memory(findings);
        if (!calibrations.isEmpty()) {
            findings.add(network(calibrations));
        }
        return findings;
    }

    private static Finding normal(Map<String, Json> calibrations) {
        Topic topic = Topic.MACHINES_NORMAL;
        List<String> left = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        List<String> young = new ArrayList<>();
        calibrations.forEach((machine, calibration) -> {
            calibration.at("departed").elements().forEach(figure ->
                    left.add(departure(machine, figure.text().orElse(""), calibration)));
            calibration.at("gaps").elements().forEach(gap -> gaps.add(machine + ": " + gap.text().orElse("")));
            double known = calibration.at("normals", "processor", "count").numberOr(0);
            if (known < topic.calibrations()) {
                young.add("%s has %s of %s".formatted(machine, Figures.rounded(known, 0),
                        Figures.rounded(topic.calibrations(), 0)));
            }
        });
        if (!left.isEmpty()) {
            return Finding.rejected(topic, "%s", String.join("; ", left));
        }
        if (!gaps.isEmpty()) {
            return Finding.unknown(topic, "not everything was calibrated: %s", String.join("; ", gaps));
        }
        return young.isEmpty() ? Finding.good(topic, "all machines are in their normal")
                : Finding.note(topic, "there are too few calibrations before for a normal: %s",
                        String.join(", ", young));
    }

    private static String departure(String machine, String figure, Json calibration) {
        Json normal = calibration.at("normals", figure);
        boolean rate = figure.equals(NETWORK);
        double size = rate ? BYTES_PER_MB : US_PER_MS;
        String unit = rate ? "MB/s" : "ms";
        String words = rate ? "the network carried" : WORDS.getOrDefault(figure, figure) + " took";
        return "%s %s %s on %s, normal is %s %3$s (%s to %s %3$s in %s calibrations)".formatted(words,
                figure(calibration.at(figure), size), unit, machine, figure(normal.at("median"), size),
                figure(normal.at("low"), size), figure(normal.at("high"), size), figure(normal.at("count"), 1));
    }

    private static String figure(Json value, double unit) {
        return Figures.rounded(value.numberOr(Double.NaN) / unit, 3);
    }

    private void memory(List<Finding> findings) throws IOException {
        Topic topic = Topic.MEMORY;
        Map<String, Double> shares = new LinkedHashMap<>();
        for (Samples machine : run.machines()) {
            double share = MachineLoad.memory(machine, fromMs, toMs);
            if (!Double.isNaN(share)) {
                shares.put(machine.place().machine(), share);
            }
        }
        if (shares.isEmpty()) {
            return;
        }
        Map.Entry<String, Double> most = most(shares);
        String text = "at most %s %% in use, on %s".formatted(perCent(most.getValue()), most.getKey());
        if (most.getValue() > topic.rejected()) {
            findings.add(Finding.rejected(topic, "%s", text));
        } else {
            findings.add(most.getValue() > topic.warning() ? Finding.warning(topic, "%s", text)
                    : Finding.good(topic, "%s", text));
        }
    }

    private Finding network(Map<String, Json> calibrations) throws IOException {
        Topic topic = Topic.NETWORK;
        if (calibrations.size() == 1) {
            return Finding.good(topic, "there is one machine");
        }
        Map<String, Double> networks = run.testedNetworks();
        Map<String, Double> shares = new LinkedHashMap<>();
        Map<String, String> words = new LinkedHashMap<>();
        for (Samples machine : run.machines()) {
            String name = machine.place().machine();
            double tested = networks.getOrDefault(name, Double.NaN);
            double used = MachineLoad.network(machine, fromMs, toMs);
            if (!Double.isNaN(used / tested)) {
                shares.put(name, used / tested);
                words.put(name, "%s %s %% (%s of %s MB/s)".formatted(name, perCent(used / tested),
                        Figures.rounded(used / BYTES_PER_MB, 2), Figures.rounded(tested / BYTES_PER_MB, 1)));
            }
        }
        String untested = calibrations.keySet().stream().filter(name -> !shares.containsKey(name))
                .collect(Collectors.joining(", "));
        if (shares.isEmpty()) {
            return Finding.unknown(topic, "the network was not %s", networks.isEmpty() ? "tested"
                    : "measured while the load ran");
        }
        Map.Entry<String, Double> most = most(shares);
        String used = shares.entrySet().stream().filter(share -> share.getValue() > topic.rejected())
                .map(share -> words.get(share.getKey())).collect(Collectors.joining("; "));
        if (!used.isEmpty()) {
            return Finding.rejected(topic, "used: %s", used).with(most.getValue());
        }
        return (untested.isEmpty() ? Finding.good(topic, "most used: %s", words.get(most.getKey()))
                : Finding.unknown(topic, "most used: %s; not tested or not measured: %s", words.get(most.getKey()),
                        untested)).with(most.getValue());
    }

    private static Map.Entry<String, Double> most(Map<String, Double> shares) {
        return shares.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    }

    private static String perCent(double share) {
        return Figures.rounded(share * PER_CENT, share < SMALL ? 3 : 0);
    }
}
