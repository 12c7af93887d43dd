package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Stacked stages of a request: all requests, then each operation as far as its stages are known. */
public final class BreakdownChart {
    private static final Map<String, String> COLOURS = Map.ofEntries(
            Map.entry("waiting in the client", "'#cc79a7'"),
            Map.entry("network and client", "'#56b4e9'"),
            Map.entry("receiving", "'#a6d5f2'"),
            Map.entry("waiting for a message", "'#ece2d0'"),
            Map.entry("request queue", "'#e69f00'"),
            Map.entry("worker", "'#0072b2'"),
            Map.entry("waiting for a connection", "'#f0e442'"),
            Map.entry("database", "'#d55e00'"),
            Map.entry("response queue", "'#f3c567'"),
            Map.entry("sending", "'#009e73'"),
            Map.entry(Breakdown.REMAINDER, "'#c9cbce'"));

    private BreakdownChart() {
    }

    /** @param breakdowns one for each bar */
    public static Chart of(List<Breakdown> breakdowns, String title) {
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
            pieces.add("data skip 1 using %s:xtic(1) linecolor rgb %s title %s"
                    .formatted(unit.of(index + 2), COLOURS.getOrDefault(name, Gnuplot.GREY), Gnuplot.quoted(name)));
            index++;
        }
        return new Chart("breakdown", data, Gnuplot.labels("Breakdown · " + title, "",
                "mean time of a request [" + unit.name() + "]") + """
                set style data histograms
                set style histogram rowstacked
                set style fill solid 1.0 border rgb paper
                set boxwidth 0.55
                set yrange [0:*]
                set xtics %s noenhanced nomirror scale 0
                set grid noxtics
                set rmargin -1
                set key default
                set key rmargin vertical Left reverse invert samplen 1 spacing 1.15 noenhanced textcolor rgb ink
                """.formatted(breakdowns.size() > 2 ? "rotate by 20 right" : "") + Gnuplot.plot(pieces));
    }

    /** @return the tier of a stage; the database has one colour for all its stages */
    private static String tier(String stage) {
        return stage.startsWith("database") ? "database" : stage;
    }
}
