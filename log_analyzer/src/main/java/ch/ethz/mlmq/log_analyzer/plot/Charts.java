package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;

/** Draws what was read. */
public final class Charts {
    private final Measurements measured;
    private final double[] percents;
    private final String title;

    /**
     * @param percents percentiles of the windows, ascending; a band reaches from the first to the last
     * @param title    what the picture is of, e.g. the run's name
     */
    public Charts(Measurements measured, double[] percents, String title) {
        this.measured = measured;
        this.percents = percents.clone();
        this.title = title;
    }

    public Chart draw(ChartKind kind) {
        return switch (kind) {
            case RESPONSE_TIME -> TimeCharts.responseTime(measured, percents, title);
            case THROUGHPUT -> TimeCharts.throughput(measured, title);
        };
    }
}
