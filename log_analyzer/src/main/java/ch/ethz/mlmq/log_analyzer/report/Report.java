package ch.ethz.mlmq.log_analyzer.report;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.check.Finding;
import ch.ethz.mlmq.log_analyzer.check.RunCheck;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.plot.Renderer;
import ch.ethz.mlmq.log_analyzer.plot.kinds.Plots;
import ch.ethz.mlmq.log_analyzer.run.InteractiveLaw;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A self-contained page about a run: its definition, validity, figures, plots, breakdown and environment. The same run
 * gives the same bytes.
 */
public final class Report {
    private static final double[] PERCENTS = {2.5, 95, 97.5, 99};
    private static final double CONFIDENCE = 0.95;

    private final Run run;
    private final TimeSelection cut;

    public Report(Run run, TimeSelection cut) {
        this.run = run;
        this.cut = cut;
    }

    public String html() throws IOException {
        Measurements byAction = PerformanceLogs.of(run.store()).read(cut, OptionalLong.empty(), Grouping.byAction(),
                PERCENTS);
        Measurements byJvm = PerformanceLogs.of(run.store()).read(cut, OptionalLong.of(Integer.MAX_VALUE),
                new Grouping(List.of(), List.of(Grouping.Key.ACTION, Grouping.Key.JVM)));
        Html page = Html.page(run.name());
        head(page, byAction);
        checks(page, RunCheck.of(run, byJvm));
        figures(page, byAction);
        plots(page, byAction);
        breakdown(page, byAction);
        environment(page);
        return page.raw("</body>\n</html>\n").toString();
    }

    private void head(Html page, Measurements measured) throws IOException {
        page.element("h1", run.name());
        long records = measured.groups().stream().mapToLong(group -> group.steady().recorded()).sum();
        page.element("p", "muted", "%s records in a measurement interval of %s s, out of %s s; %d logs.".formatted(
                Figures.grouped(Long.toString(records)), Figures.plain(measured.steadyMs() / 1000.0),
                Figures.plain((measured.endMs() - measured.timeline().originMs()) / 1000.0), measured.files().size())
                + measured.sampling().remark().map(remark -> " " + remark).orElse(""));
        Optional<StoredFile> definition = run.store().find("test_run.yml");
        if (definition.isPresent()) {
            try (InputStream in = definition.get().openBuffered()) {
                page.element("h2", "What was run")
                        .element("pre", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }

    private static void checks(Html page, RunCheck check) {
        page.element("h2", "Checks").element("p", check.verdict() + ".");
        page.raw("<table>\n");
        for (Finding finding : check.findings()) {
            page.raw("<tr>").element("td", finding.level().word(), finding.topic().toString())
                    .element("td", finding.reason())
                    .raw("</tr>\n");
        }
        page.raw("</table>\n");
    }

    private void figures(Html page, Measurements measured) throws IOException {
        page.element("h2", "Figures")
                .table("Measurement interval. Times in us, throughput in 1/s; mean_low and mean_high are the 95 % "
                        + "interval of the mean, from its changes over time.",
                new StatisticsTable(measured, List.of(Grouping.Key.ACTION), PERCENTS, CONFIDENCE).overview());
        Optional<InteractiveLaw> law = InteractiveLaw.of(run);
        if (law.isPresent()) {
            page.element("p", law.get().words());
        }
    }

    private void plots(Html page, Measurements measured) throws IOException {
        page.element("h2", "Plots");
        Renderer renderer = new Renderer();
        PlottedRun plotted = new PlottedRun(run, cut, measured, List.of(), true, PERCENTS);
        for (Plot plot : Plots.ofEveryRun()) {
            Optional<Chart> chart = plot.draw(plotted);
            if (chart.isPresent()) {
                page.raw("<figure>\n" + renderer.svg(chart.get()) + "</figure>\n");
            }
        }
    }

    private static void breakdown(Html page, Measurements measured) {
        Breakdown.measured(measured).ifPresent(breakdown -> page.element("h2", "Where the time goes").table(
                "Stages of a request: mean time in us, and share of the clients' mean in per cent.",
                BreakdownTable.of(List.of(breakdown))));
    }

    private void environment(Html page) throws IOException {
        Json environment = run.environment();
        if (environment.isMissing()) {
            return;
        }
        page.element("h2", "Environment");
        Table facts = Table.of("what", "value");
        environment.members().forEach((name, value) -> {
            if (!Set.of("machines", "definition").contains(name)) {
                value.leaves().forEach((path, leaf) -> facts.add(path.isEmpty() ? name : name + "." + path, leaf));
            }
        });
        page.table("The run", facts);
        Table machines = Table.of("machine", "what", "value");
        for (Json machine : environment.at("machines").elements()) {
            String name = machine.at("name").text().orElse("");
            for (Map.Entry<String, String> fact : machine.leaves().entrySet()) {
                if (!fact.getKey().equals("name") && !fact.getKey().startsWith("jvms.")) {
                    machines.add(name, fact.getKey(), fact.getValue());
                }
            }
        }
        page.table("Machines", machines);
        Table settings = Table.of("jvm", "setting", "value");
        run.settings().forEach((jvm, values) -> values.forEach((key, value) -> settings.add(jvm, key, value)));
        page.table("Settings in force", settings);
    }
}
