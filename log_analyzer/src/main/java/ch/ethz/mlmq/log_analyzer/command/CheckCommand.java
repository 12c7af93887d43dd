package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.check.Finding;
import ch.ethz.mlmq.log_analyzer.check.RunCheck;
import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.command.options.TableOptions;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks whether a run is valid. */
@Command(name = "check", sortOptions = false, description = {
    "Checks a run, and accepts or rejects it with reasons.",
    "It checks responses, errors, late starts, idle clients, gaps, clocks, steady state, and load and speed of "
            + "machines.",
    "Exit code 3 if the run is rejected."})
final class CheckCommand implements Callable<Integer> {
    private static final int REJECTED = 3;

    @Mixin
    private LogOptions logs;

    @Mixin
    private TableOptions table;

    @Override
    public Integer call() throws IOException {
        try (Run run = logs.open()) {
            Measurements measured = PerformanceLogs.of(run.store()).read(logs.cut(run),
                    OptionalLong.of(Integer.MAX_VALUE),
                    new Grouping(List.of(), List.of(Grouping.Key.ACTION, Grouping.Key.JVM)));
            RunCheck check = RunCheck.of(run, measured);
            Table findings = table.isForPeople() ? Table.of("verdict", "check", "reason")
                    : Table.of("verdict", "check", "reason", "value");
            check.findings().forEach(finding -> findings.add(row(finding)));
            table.write(findings, check.verdict() + ".");
            return check.isAccepted() ? 0 : REJECTED;
        }
    }

    private List<Object> row(Finding finding) {
        List<Object> row = new ArrayList<>(List.of(finding.level().word(), finding.topic().toString(),
                finding.reason()));
        if (!table.isForPeople()) {
            row.add(finding.value().isPresent() ? finding.value().getAsDouble() : null);
        }
        return row;
    }
}
