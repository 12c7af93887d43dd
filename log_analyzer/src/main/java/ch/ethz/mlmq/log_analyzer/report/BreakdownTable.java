package ch.ethz.mlmq.log_analyzer.report;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.List;

/** Breakdowns as rows: mean times in us, shares of the total in per cent. */
public final class BreakdownTable {
    private static final int PER_CENT = 100;

    private BreakdownTable() {
    }

    public static Table of(List<Breakdown> breakdowns) {
        Table table = Table.of("of", "stage", "mean", "share");
        for (Breakdown breakdown : breakdowns) {
            breakdown.stages().forEach(stage -> table.add(breakdown.of(), stage.name(), stage.mean(),
                    stage.mean() / breakdown.total() * PER_CENT));
            table.add(breakdown.of(), "total", breakdown.total(), (double) PER_CENT);
        }
        return table;
    }
}
