package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.run.BrokerLoad;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.run.MachineLoad;
import ch.ethz.mlmq.log_analyzer.run.OtherPrograms;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.Samples;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks whether the machines' clocks agree and their speed was steady, the clients' machines had free time, brokers
 * were saturated, and other programs took processor time.
 */
final class MachineChecks {
    private static final double SATURATED_CPU = 0.96;
    private static final double WORTH_NAMING = 0.02;
    private static final int MOST_NAMED = 3;
    private static final double US_PER_MS = 1000;

    private final Run run;
    private final Measurements measured;

    MachineChecks(Run run, Measurements measured) {
        this.run = run;
        this.measured = measured;
    }

    List<Finding> findings() throws IOException {
        List<Finding> findings = new ArrayList<>();
        findings.add(clocks());
        findings.add(speed());
        findings.addAll(new ResourceChecks(run, measured).findings());
        findings.add(clientMachines());
        findings.add(brokers());
        findings.addAll(otherPrograms());
        return findings;
    }

    private Finding clocks() throws IOException {
        Topic topic = Topic.CLOCKS_AGREE;
        List<Json> machines = run.environment().at("machines").elements();
        double worst = machines.stream().mapToDouble(machine -> Math.abs(machine.at("clock_offset_ms").numberOr(0)))
                .max().orElse(0);
        double error = machines.stream().mapToDouble(machine -> machine.at("clock_error_ms").numberOr(0)).max()
                .orElse(0);
        double surely = machines.stream().mapToDouble(machine -> Math.abs(machine.at("clock_offset_ms").numberOr(0))
                - machine.at("clock_error_ms").numberOr(0)).max().orElse(0);
        boolean known = machines.stream().anyMatch(machine -> !machine.at("clock_offset_ms").isMissing());
        if (!known) {
            return machines.size() == 1 ? Finding.good(topic, "there is one machine")
                    : Finding.unknown(topic, "the run does not have the clock offsets of its machines");
        }
        String text = "largest offset " + Figures.rounded(worst, 1) + " ms"
                + (error > 0 ? ", wrong by at most " + Figures.rounded(error, 1) + " ms" : "");
        if (surely > topic.rejected()) {
            return Finding.rejected(topic, "%s", text);
        }
        return surely > topic.warning() ? Finding.warning(topic, "%s", text) : Finding.good(topic, "%s", text);
    }

    /** Checks the speed of processors, as a virtual machine may be slower in one minute than in another. */
    private Finding speed() throws IOException {
        Topic topic = Topic.MACHINE_SPEED;
        long half = (measured.steadyFromMs() + measured.steadyToMs()) / 2;
        double worst = MachineLoad.SAME_SPEED;
        String changed = "";
        double sum = 0;
        int known = 0;
        for (Samples machine : run.machines()) {
            double all = MachineLoad.fixedWork(machine, measured.steadyFromMs(), measured.steadyToMs());
            double ratio = MachineLoad.fixedWork(machine, half, measured.steadyToMs())
                    / MachineLoad.fixedWork(machine, measured.steadyFromMs(), half);
            if (!Double.isNaN(all)) {
                sum += all;
                known++;
            }
            if (Math.max(ratio, 1 / ratio) > worst) {
                worst = Math.max(ratio, 1 / ratio);
                changed = "; %s became %s times %s from the first half to the second".formatted(
                        machine.place().machine(), Figures.rounded(worst, 2), ratio > 1 ? "slower" : "faster");
            }
        }
        if (known == 0) {
            return Finding.unknown(topic, "the machines did not measure the fixed piece of work");
        }
        String text = "the fixed piece of work took " + Figures.rounded(sum / known / US_PER_MS, 2)
                + " ms of processor time" + changed;
        return (changed.isEmpty() ? Finding.good(topic, "%s", text) : Finding.warning(topic, "%s", text))
                .with(sum / known);
    }

    private Finding clientMachines() throws IOException {
        Topic topic = Topic.CLIENT_MACHINES;
        Set<String> clients = machinesOf("client");
        Set<String> shared = new TreeSet<>(machinesOf("broker"));
        shared.retainAll(clients);
        List<String> busy = new ArrayList<>();
        double most = Double.NaN;
        for (Samples machine : run.machines()) {
            if (clients.contains(machine.place().machine())) {
                double share = busy(machine);
                most = Double.isNaN(most) ? share : Math.max(most, share);
                if (share > topic.rejected()) {
                    busy.add(machine.place().machine() + " " + Figures.rounded(share * 100, 0) + " %");
                }
            }
        }
        if (Double.isNaN(most)) {
            return Finding.unknown(topic, "there are no measurements of client machines");
        }
        if (busy.isEmpty()) {
            return Finding.good(topic, "at most %s %%", Figures.rounded(most * 100, 0));
        }
        return shared.isEmpty() ? Finding.rejected(topic, "busy: %s", String.join(", ", busy))
                : Finding.warning(topic, "busy: %s, but these machines run clients and brokers: %s",
                        String.join(", ", busy), String.join(", ", shared));
    }

    private Finding brokers() throws IOException {
        Topic topic = Topic.BROKERS;
        List<BrokerLoad> loads = BrokerLoad.of(run, measured.steadyFromMs(), measured.steadyToMs());
        Set<String> machines = machinesOf("broker");
        double cpu = run.machines().stream().filter(machine -> machines.contains(machine.place().machine()))
                .mapToDouble(this::busy).filter(share -> !Double.isNaN(share)).max().orElse(Double.NaN);
        if (loads.isEmpty() && Double.isNaN(cpu)) {
            return Finding.unknown(topic, "there are no statistics of brokers");
        }
        boolean byWorkers = loads.stream().anyMatch(BrokerLoad::isSaturated);
        boolean byProcessors = cpu >= SATURATED_CPU;
        Stream<String> machine = Double.isNaN(cpu) ? Stream.of()
                : Stream.of("machine " + Figures.rounded(cpu * 100, 0) + " % busy");
        Stream<String> brokers = loads.stream().map(BrokerLoad::words);
        String text = (byProcessors ? Stream.concat(machine, brokers) : Stream.concat(brokers, machine))
                .collect(Collectors.joining("; "));
        String by = Stream.of(byProcessors ? "processors" : "", byWorkers ? "workers" : "")
                .filter(each -> !each.isEmpty()).collect(Collectors.joining(" and "));
        return by.isEmpty() ? Finding.good(topic, "not saturated: %s", text)
                : Finding.note(topic, "saturated by %s: %s", by, text);
    }

    /** @return empty if no machine measured them */
    private List<Finding> otherPrograms() {
        Topic topic = Topic.OTHER_PROGRAMS;
        double worst = Double.NaN;
        String words = "";
        for (OtherPrograms programs : run.otherPrograms()) {
            Map<String, Double> shares = programs.between(measured.steadyFromMs(), measured.steadyToMs());
            double all = shares.getOrDefault(OtherPrograms.ALL, Double.NaN);
            if (all > worst || Double.isNaN(worst) && !Double.isNaN(all)) {
                worst = all;
                words = "they took %s %% of the processors of %s%s".formatted(Figures.rounded(all * 100, 0),
                        programs.machine(), largest(shares));
            }
        }
        if (Double.isNaN(worst)) {
            return List.of();
        }
        return List.of((worst > topic.warning() ? Finding.warning(topic, "%s", words)
                : Finding.good(topic, "%s", words)).with(worst));
    }

    private static String largest(Map<String, Double> shares) {
        Map<String, Double> named = new LinkedHashMap<>();
        shares.entrySet().stream()
                .filter(share -> !share.getKey().equals(OtherPrograms.ALL) && share.getValue() >= WORTH_NAMING)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed()).limit(MOST_NAMED)
                .forEach(share -> named.put(share.getKey(), share.getValue()));
        double rest = shares.get(OtherPrograms.ALL) - named.values().stream().mapToDouble(share -> share).sum();
        if (rest >= WORTH_NAMING) {
            named.put(named.isEmpty() ? "short-lived ones" : "others and short-lived ones", rest);
        }
        String words = named.entrySet().stream()
                .map(share -> share.getKey() + " " + Figures.rounded(share.getValue() * 100, 0) + " %")
                .collect(Collectors.joining(", "));
        return words.isEmpty() ? "" : " (" + words + ")";
    }

    private double busy(Samples machine) {
        return MachineLoad.busy(machine, measured.steadyFromMs(), measured.steadyToMs());
    }

    private Set<String> machinesOf(String role) {
        return run.rolesByMachine().entrySet().stream().filter(machine -> machine.getValue().contains(role))
                .map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }
}
