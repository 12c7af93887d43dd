package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A run to be drawn.
 *
 * @param run       gives data beside its performance logs
 * @param cut       requested part of its time
 * @param measured  records of the logs, in the groups of the chart
 * @param wanted    prefixes of the requested actions; empty for all
 * @param byOutcome true if throughput is drawn by outcome, because no other grouping was requested
 * @param percents  percentiles of the windows, ascending; a band reaches from the first to the last
 */
public record PlottedRun(Run run, TimeSelection cut, Measurements measured, List<String> wanted, boolean byOutcome,
        double[] percents) {
    private static final String REQUESTS = "CSndReq#";
    private static final String ANSWERED = "CSndReq#OK#";

    /** @return the name of the run, for titles */
    public String title() throws IOException {
        return run.name();
    }

    /** @return time range of the performance logs, so that all time axes of a run agree */
    public TimeRange covered() {
        return new TimeRange(measured.fromMs(), measured.untilMs());
    }

    /** @return zero of the time axes [ms since 1970] */
    public long originMs() {
        return measured.timeline().originMs();
    }

    /** @return events in that time */
    public Marks marks() {
        return Marks.of(run.events(), covered(), originMs());
    }

    /** @return the requested actions; by default all requests of the clients, if there are clients */
    public Measurements requests() {
        return shown(REQUESTS);
    }

    /** @return the requested actions; by default the clients' successful requests */
    public Measurements answered() {
        return shown(ANSWERED);
    }

    /** @return the same, or empty if none of it lies in the measurement interval */
    public Optional<Measurements> answeredInSteadyPart() {
        return Optional.of(answered())
                .filter(shown -> shown.groups().stream().anyMatch(group -> group.steady().count() > 0));
    }

    /** @return true if all actions were requested, in the usual groups */
    public boolean isWhole() {
        return wanted.isEmpty() && byOutcome;
    }

    /** @return true if an operation was requested, such as {@code sendMessage} */
    public boolean isWanted(String operation) {
        return wanted.stream().anyMatch((ANSWERED + operation)::startsWith);
    }

    private Measurements shown(String otherwise) {
        Measurements clients = measured.onlyStartingWith(otherwise);
        return isWhole() && !clients.groups().isEmpty() ? clients : measured;
    }
}
