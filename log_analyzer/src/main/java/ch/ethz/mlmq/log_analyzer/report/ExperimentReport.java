package ch.ethz.mlmq.log_analyzer.report;

import ch.ethz.mlmq.log_analyzer.experiment.Experiment;
import ch.ethz.mlmq.log_analyzer.experiment.ExperimentTables;
import ch.ethz.mlmq.log_analyzer.experiment.Factor;
import ch.ethz.mlmq.log_analyzer.experiment.Trials;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.ExperimentCharts;
import ch.ethz.mlmq.log_analyzer.plot.Renderer;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.Map;

/** A self-contained page about an experiment. The same runs give the same bytes. */
public final class ExperimentReport {
    private final Experiment experiment;

    public ExperimentReport(Experiment experiment) {
        this.experiment = experiment;
    }

    public String html() throws IOException {
        Trials trials = experiment.trials();
        ExperimentTables tables = new ExperimentTables(experiment);
        Html page = Html.page(trials.design().name());
        long accepted = trials.all().stream().filter(trial -> trial.isAccepted()).count();
        page.element("h1", trials.design().name()).element("p", "muted",
                "Design %s: %d points, %d runs, %d accepted. Intervals: %s %%, Student's t over runs.".formatted(
                trials.design().plan().word(), trials.points().size(), trials.all().size(), accepted,
                Figures.percent(experiment.confidence() * 100)));
        tables.sentences().forEach(sentence -> page.element("p", sentence));
        experiment.remarks().forEach(remark -> page.element("p", "muted", remark));
        Table factors = Table.of("factor", "path", "levels");
        for (Factor factor : trials.design().factors()) {
            factors.add(factor.label(), factor.path(), String.join(", ", factor.levels()));
        }
        page.element("h2", "Factors").table("Each point is a combination of levels.", factors);
        page.element("h2", "Points").table(experiment.response().column() + ", mean of the accepted runs.",
                tables.response());
        Renderer renderer = new Renderer();
        page.element("h2", "Plots");
        for (Chart chart : new ExperimentCharts(experiment).draw()) {
            page.raw("<figure>\n" + renderer.svg(chart) + "</figure>\n");
        }
        page.element("h2", "Results");
        for (Map.Entry<String, Table> each : tables.results().entrySet()) {
            page.table(each.getKey() + ".", each.getValue());
        }
        page.element("h2", "All figures").table("Mean of the accepted runs of each point.", tables.points());
        return page.raw("</body>\n</html>\n").toString();
    }
}
