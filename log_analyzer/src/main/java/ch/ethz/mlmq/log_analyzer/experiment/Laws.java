package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.run.InteractiveLaw;
import java.util.ArrayList;
import java.util.List;

/** Applies the interactive law to each accepted run with a closed load. */
public final class Laws {
    static final String CLIENTS = "law clients";
    static final String RATE = "law throughput [1/s]";
    static final String RESPONSE = "law response [ms]";
    static final String THINK = "law think [ms]";
    static final List<String> COLUMNS = List.of(CLIENTS, RATE, RESPONSE, THINK);
    private static final double MS_PER_SECOND = 1000;

    /** The law of one run. */
    public record Of(Trial trial, InteractiveLaw law) {
    }

    private Laws() {
    }

    /** @return empty if the table has no clients, throughput, response or think time */
    public static List<Of> of(Trials trials) {
        List<Of> laws = new ArrayList<>();
        for (Trial trial : trials.with(CLIENTS)) {
            InteractiveLaw law = new InteractiveLaw(trial.figure(CLIENTS), trial.figure(RATE),
                    trial.figure(RESPONSE) / MS_PER_SECOND, trial.figure(THINK) / MS_PER_SECOND);
            if (Double.isFinite(law.deviation())) {
                laws.add(new Of(trial, law));
            }
        }
        return laws;
    }
}
