package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.RunStep;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Checks whether the figures of a run are valid. */
public final class RunCheck {
    private static final int MOST_NAMED = 20;

    private final List<Finding> findings;

    private RunCheck(List<Finding> findings) {
        this.findings = List.copyOf(findings);
    }

    /** @param measured all actions of the run, grouped by action and JVM */
    public static RunCheck of(Run run, Measurements measured) throws IOException {
        List<Finding> findings = new ArrayList<>();
        findings.addAll(new JvmChecks(run).findings());
        findings.addAll(new LoadChecks(run.summaries(), run.clientsWithoutSummary(), measured,
                run.settings()).findings());
        findings.addAll(new LogChecks(run.summaries(), measured).findings());
        findings.addAll(new TimeChecks(run, measured).findings());
        findings.addAll(new MachineChecks(run, measured).findings());
        boolean searched = !run.tries().isEmpty();
        boolean stepped = isStepped(run, measured);
        // This comes last, because all other checks ask for files.
        if (!run.unreadable().isEmpty()) {
            findings.add(Finding.warning(Topic.FILES_READABLE, "%s",
                    run.unreadable().entrySet().stream().limit(MOST_NAMED)
                    .map(file -> file.getKey() + ": " + file.getValue()).collect(Collectors.joining("; "))));
        }
        if (searched) {
            return new RunCheck(expected(findings, Topic.Load.SEARCH, "each tried rate is checked on its own"));
        }
        return new RunCheck(stepped ? expected(findings, Topic.Load.STEPS,
                "the load changes in steps, as planned: check each step on its own") : findings);
    }

    /** Turns findings that this kind of load causes on purpose into notes. */
    private static List<Finding> expected(List<Finding> findings, Topic.Load load, String why) {
        return findings.stream().map(finding -> finding.topic().isExpectedIn(load)
                && (finding.level() == Finding.Level.REJECTED || finding.level() == Finding.Level.WARNING)
                        ? Finding.note(finding.topic(), "%s; %s", finding.reason(), why) : finding).toList();
    }

    private static boolean isStepped(Run run, Measurements measured) throws IOException {
        boolean joining = run.settings().values().stream()
                .anyMatch(jvm -> !jvm.getOrDefault("client.steps", "").isBlank());
        return joining && areSeveral(RunStep.numbersOfClients(run), measured)
                || RunStep.hasPhases(run) && areSeveral(RunStep.rates(run), measured);
    }

    private static boolean areSeveral(List<RunStep> steps, Measurements measured) {
        return steps.stream().map(RunStep::phase).filter(step -> step.toMs() > measured.steadyFromMs()
                && step.fromMs() < measured.steadyToMs()).count() > 1;
    }

    /** @return the findings in the order of the checks */
    public List<Finding> findings() {
        return findings;
    }

    public boolean isAccepted() {
        return findings.stream().noneMatch(finding -> finding.level() == Finding.Level.REJECTED);
    }

    /** @return the verdict in words */
    public String verdict() {
        long warnings = findings.stream().filter(finding -> finding.level() == Finding.Level.WARNING).count();
        if (!isAccepted()) {
            return "Rejected";
        }
        return warnings == 0 ? "Accepted" : "Accepted, " + (warnings == 1 ? "one warning" : warnings + " warnings");
    }
}
