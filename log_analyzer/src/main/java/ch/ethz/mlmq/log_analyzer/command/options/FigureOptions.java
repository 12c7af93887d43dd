package ch.ethz.mlmq.log_analyzer.command.options;

import ch.ethz.mlmq.log_analyzer.analysis.Comparison;
import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that select figures of runs, and the requests that count. */
public final class FigureOptions {
    @Option(names = {"--metric", "-metric"}, paramLabel = "FIGURE,FIGURE", split = ",",
            description = {"Figures: throughput, errors, mean, median, p99 ...; of messages: sent, received,",
                "empty_takes, backlog, drain, recovery; of topics: copies, lost, subscribe_rate, subscribe_p50,",
                "subscribe_p99, first_p50, first_p99, first_max; of machines: cpu, cpu_brokers, cpu_clients,",
                "cpu_database, disk_written, memory, network, fixed_work; of JVMs: gc_brokers, gc_clients; of clients:",
                "late, under_way. Default: all that each run has, with p95 and p99."})
    private List<String> metrics = List.of();

    @Option(names = "-type", paramLabel = "PREFIX", description = "Selects actions that begin with this. Default: "
            + "CSndReq#.")
    private List<String> types = List.of("CSndReq#");

    /** @return the requested figures; else empty */
    public List<Metric> named() {
        return metrics.stream().map(Metric::named).toList();
    }

    /** @return the requested figures; else all that the runs have */
    public List<Metric> of(Comparison runs) {
        return metrics.isEmpty() ? runs.known(Metric.all()) : named();
    }

    /** @return prefixes of the actions that count */
    public List<String> types() {
        return types;
    }
}
