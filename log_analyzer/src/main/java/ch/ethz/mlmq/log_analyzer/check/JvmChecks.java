package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.RunEvent;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Checks whether brokers and clients lived until they were told to end. */
final class JvmChecks {
    private static final Topic TOPIC = Topic.JVMS_LIVED;
    /** A shell reports a process that a signal has ended by an exit code above this one. */
    private static final int SIGNALS = 128;

    private final Run run;

    JvmChecks(Run run) {
        this.run = run;
    }

    /** @return empty if the run has no records of its JVMs */
    List<Finding> findings() throws IOException {
        Map<String, Json> jvms = jvms();
        if (jvms.isEmpty()) {
            return List.of();
        }
        List<String> deaths = new ArrayList<>();
        for (RunEvent event : run.events()) {
            if (event.name().equals(RunEvent.DIED)) {
                deaths.add(event.jvm() + " " + end(jvms.getOrDefault(event.jvm(), Json.MISSING)) + time(event.ms()));
            }
        }
        return List.of(deaths.isEmpty() ? Finding.good(TOPIC, "%d JVMs", jvms.size())
                : Finding.rejected(TOPIC, "%s", String.join("; ", deaths)));
    }

    private Map<String, Json> jvms() throws IOException {
        Map<String, Json> jvms = new TreeMap<>();
        for (Json machine : run.environment().at("machines").elements()) {
            for (Json jvm : machine.at("jvms").elements()) {
                jvms.put(jvm.at("name").text().orElse(""), jvm);
            }
        }
        return jvms;
    }

    private static String end(Json jvm) {
        Json code = jvm.at("exit_code");
        if (code.isMissing()) {
            return "ended without an exit code";
        }
        int exitCode = (int) code.numberOr(0);
        return exitCode > SIGNALS ? "was killed by signal " + (exitCode - SIGNALS) : "ended with exit code " + exitCode;
    }

    private String time(long ms) throws IOException {
        OptionalLong start = run.loadStartMs();
        return start.isEmpty() ? "" : ", " + Figures.rounded((ms - start.getAsLong()) / 1000.0, 1)
                + " s after the start of the load";
    }
}
