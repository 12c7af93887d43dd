package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.check.SteadyState;
import ch.ethz.mlmq.log_analyzer.report.StatisticsTable;
import ch.ethz.mlmq.log_analyzer.run.InteractiveLaw;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.TableFormat;
import java.io.IOException;
import java.util.OptionalLong;

/** The default output for people: the measurement interval in a table, and remarks. */
final class Overview {
    private Overview() {
    }

    static String of(Run run, Measurements measured, StatisticsTable statistics) throws IOException {
        StringBuilder text = new StringBuilder(run.name()).append("\n\n");
        text.append(TableFormat.TEXT.write(statistics.overview())).append('\n');
        long originMs = measured.timeline().originMs();
        text.append(("Measurement interval: %s to %s after the start of the first request (%s in all). Times in us, "
                + "throughput in 1/s.%n")
                .formatted(seconds(measured.steadyFromMs() - originMs), seconds(measured.steadyToMs() - originMs),
                        seconds(measured.endMs() - originMs)));
        text.append("mean_low and mean_high are the %s %% interval of the mean, from its changes over time.%n"
                .formatted(Figures.percent(statistics.confidence() * 100)));
        statistics.doubts().forEach(doubt -> text.append(doubt).append('\n'));
        measured.sampling().remark().ifPresent(remark -> text.append(remark).append('\n'));
        if (statistics.keys().get(0) == Grouping.Key.ACTION) {
            OptionalLong warmup = SteadyState.of(measured).warmupMs();
            text.append(warmup.isPresent() ? "MSER-5 proposes a warm-up of %s.%n".formatted(seconds(warmup.getAsLong()))
                    : "MSER-5 finds no steady state: the run is too short or changes after its middle.%n".formatted());
        }
        InteractiveLaw.of(run).ifPresent(law -> text.append(law.words()).append('\n'));
        return text.toString();
    }

    private static String seconds(long ms) {
        return Figures.rounded(ms / 1000.0, 2) + " s";
    }
}
