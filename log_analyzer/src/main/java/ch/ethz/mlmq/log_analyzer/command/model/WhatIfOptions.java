package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.network.BrokerCatalogue;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options for the differences of a system from the run's. */
final class WhatIfOptions {
    static final int MOST_CLIENTS = 100_000;
    private static final int MOST_BROKERS = 1_000;
    private static final double MS_PER_SECOND = 1_000;
    private static final Pattern BATCH = Pattern.compile("([^,]+),([^,]+)");

    @Option(names = {"--think", "-think"}, paramLabel = "TIME", description = "Mean think time, e.g. 5ms.")
    private String think;

    @Option(names = {"--workers", "-workers"}, paramLabel = "N", description = "Workers of each broker.")
    private Integer workers;

    @Option(names = {"--connections", "-connections"}, paramLabel = "N",
            description = "Connections of each broker to the database.")
    private Integer connections;

    @Option(names = {"--brokers", "-brokers"}, paramLabel = "N",
            description = "Brokers; each has an equal share of the requests.")
    private Integer brokers;

    @Option(names = {"--database-faster", "-database-faster"}, paramLabel = "F",
            description = "Factor by which the database is faster than in the run. Default: 1.")
    private double faster = 1;

    @Option(names = {"--batch", "-batch"}, paramLabel = "A,B",
            description = "Times of group commit instead of the run's: a worker needs A + B n for a batch of n, e.g. "
                    + "400us,30us.")
    private String batch;

    @Option(names = {"--batch-max", "-batch-max"}, paramLabel = "N",
            description = "Most requests in a batch. Default: ${DEFAULT-VALUE}.")
    private int batchMax = Integer.parseInt(BrokerCatalogue.defaultOf("broker.batch.max"));

    void check() {
        requireCount("--workers", workers, MOST_CLIENTS);
        requireCount("--connections", connections, MOST_CLIENTS);
        requireCount("--brokers", brokers, MOST_BROKERS);
        requireCount("--batch-max", batchMax, MOST_CLIENTS);
        OptionValues.positive("--database-faster", faster);
        if (batch != null && (faster != 1 || connections != null)) {
            throw new UsageException("--batch includes the time of the database: leave out --database-faster and "
                    + "--connections.");
        }
        batch();
    }

    /** @return times of a batch; empty for those of the run */
    Optional<GroupCommit> batch() {
        if (batch == null) {
            return Optional.empty();
        }
        Matcher times = BATCH.matcher(batch);
        if (!times.matches()) {
            throw new UsageException("--batch takes two times, e.g. 400us,30us.");
        }
        return Optional.of(new GroupCommit(
                OptionValues.positive("--batch", OptionValues.seconds("--batch", times.group(1))),
                OptionValues.positive("--batch", OptionValues.seconds("--batch", times.group(2))), batchMax));
    }

    RunStations asked(RunStations was) {
        RunStations.Load load = was.load();
        RunStations.Demands demands = was.demands();
        return new RunStations(new RunStations.Load(load.clients(), load.throughput(), load.response(),
                think == null ? load.think() : OptionValues.seconds("--think", think), load.overhead()),
                new RunStations.Demands(demands.network(), demands.worker(), demands.database() / faster),
                servers(was.servers()), batch().or(() -> was.batch().map(each -> scaled(each, demands))),
                was.remarks());
    }

    private Servers servers(Servers was) {
        return new Servers(brokers == null ? was.brokers() : brokers, workers == null ? was.workers() : workers,
                connections == null ? was.pool() : connections);
    }

    /** @return the differences of the requested system from the run's, in words */
    List<String> changes(RunStations was) {
        List<String> changes = new ArrayList<>();
        addChange(changes, "brokers", was.servers().brokers(), brokers);
        addChange(changes, "workers", was.servers().workers(), workers);
        addChange(changes, "connections", was.servers().pool(), connections);
        if (faster != 1) {
            changes.add("database " + Figures.plain(faster) + " times as fast");
        }
        double thinking = was.load().think();
        if (think != null && Math.abs(OptionValues.seconds("--think", think) - thinking) > 1e-9) {
            changes.add("think time " + think + " instead of " + Figures.plain(thinking * MS_PER_SECOND) + "ms");
        }
        if (batch != null) {
            changes.add("batches of " + batch);
        }
        return changes;
    }

    double faster() {
        return faster;
    }

    private static void addChange(List<String> changes, String what, int was, Integer asked) {
        if (asked != null && asked != was) {
            changes.add(asked + " " + what + " instead of " + was);
        }
    }

    /** Scales a batch to a faster database: both coefficients become shorter by the same factor. */
    private GroupCommit scaled(GroupCommit each, RunStations.Demands was) {
        double share = was.database() / Math.max(Double.MIN_NORMAL, was.held());
        double by = 1 - share + share / faster;
        return new GroupCommit(each.fixed() * by, each.each() * by, each.most(), each.waiting());
    }

    static void requireCount(String option, Integer count, int most) {
        if (count != null && (count < 1 || count > most)) {
            throw new UsageException("%s must lie between 1 and %d.".formatted(option, most));
        }
    }
}
