package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.run.Phase;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Cut;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One run, as it is to be drawn.
 *
 * @param run       for what lies beside its performance logs
 * @param cut       which part of its time is wanted
 * @param measured  what they say, grouped as it is to be drawn
 * @param wanted    beginnings of the actions that were asked for; empty for all
 * @param byOutcome whether throughput is drawn by outcome, because no other grouping was asked for
 * @param percents  percentiles of the windows, ascending; a band reaches from the first to the last
 */
public record PlottedRun(Run run, Cut cut, Measurements measured, List<String> wanted, boolean byOutcome,
        double[] percents) {
    private static final String REQUESTS = "CSndReq#";
    private static final String ANSWERED = "CSndReq#OK#";

    /** @return the name of the run, for titles */
    public String title() throws IOException {
        return run.name();
    }

    /** @return what the performance logs cover, so that all time axes of a run agree */
    public Phase covered() {
        return new Phase(measured.fromMs(), measured.untilMs());
    }

    /** @return where the time of the axes is 0 [ms since 1970] */
    public long originMs() {
        return measured.timeline().originMs();
    }

    /** @return what happened in that time */
    public Marks marks() {
        return Marks.of(run.events(), covered(), originMs());
    }

    /** @return what was asked for; where nothing was, all requests of the clients, if there are clients */
    public Measurements requests() {
        return shown(REQUESTS);
    }

    /** @return what was asked for; where nothing was, what the clients saw of the requests that went well */
    public Measurements answered() {
        return shown(ANSWERED);
    }

    /** @return the same, or empty where none of it lies in the steady part */
    public Optional<Measurements> answeredInSteadyPart() {
        return Optional.of(answered())
                .filter(shown -> shown.groups().stream().anyMatch(group -> group.steady().count() > 0));
    }

    /** @return whether all was asked for, grouped in the usual way */
    public boolean isWhole() {
        return wanted.isEmpty() && byOutcome;
    }

    /** @return whether an operation was asked for, such as {@code sendMessage} */
    public boolean isWanted(String operation) {
        return wanted.stream().anyMatch((ANSWERED + operation)::startsWith);
    }

    private Measurements shown(String otherwise) {
        Measurements clients = measured.onlyStartingWith(otherwise);
        return isWhole() && !clients.groups().isEmpty() ? clients : measured;
    }
}
