package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Stages of a request on top of one another: all requests, then each operation as far as its stages are known. */
final class BreakdownChart {
    private static final List<String> COLOURS = List.of("#cc79a7", "#56b4e9", "#b5cfe0", "#e69f00", "#0072b2", "#f0e442",
            "#d55e00", "#8f3f00", "#ef9a62", "#009e73", "#7fcdb4");

    private BreakdownChart() {
    }

    static Chart of(List<Breakdown> breakdowns, String title) {
        Set<String> stages = new LinkedHashSet<>();
        breakdowns.forEach(breakdown -> breakdown.stages().forEach(stage -> stages.add(tier(stage.name()))));
        stages.remove(Breakdown.REMAINDER);
        stages.add(Breakdown.REMAINDER);
        List<String> columns = new ArrayList<>(List.of("of"));
        columns.addAll(stages);
        Table data = new Table(columns);
        for (Breakdown breakdown : breakdowns) {
            List<Object> row = new ArrayList<>(List.of(breakdown.of()));
            stages.forEach(name -> row.add(Math.max(0, breakdown.stages().stream()
                    .filter(stage -> tier(stage.name()).equals(name)).mapToDouble(Breakdown.Stage::mean).sum())));
            data.add(row);
        }
        DurationUnit unit = DurationUnit.fitting(breakdowns.stream().mapToDouble(Breakdown::total).max().orElse(1));
        List<String> pieces = new ArrayList<>();
        int index = 0;
        for (String name : stages) {
            String colour = name.equals(Breakdown.REMAINDER) ? "#c9cbce" : COLOURS.get(index % COLOURS.size());
            pieces.add("data skip 1 using %s:xtic(1) linecolor rgb '%s' title %s"
                    .formatted(unit.of(index + 2), colour, Gnuplot.quoted(name)));
            index++;
        }
        return new Chart("breakdown", data, Gnuplot.labels(title, "", "mean time of a request [" + unit.name() + "]") + """
                set style data histograms
                set style histogram rowstacked
                set style fill solid 1.0 border rgb '#ffffff'
                set boxwidth 0.55
                set yrange [0:*]
                set xtics %s noenhanced nomirror scale 0
                set grid noxtics
                """.formatted(breakdowns.size() > 5 ? "rotate by -30" : "") + Gnuplot.plot(pieces));
    }

    /** One colour for the database, whatever it was asked. */
    private static String tier(String stage) {
        return stage.startsWith("database") ? "database" : stage;
    }
}
