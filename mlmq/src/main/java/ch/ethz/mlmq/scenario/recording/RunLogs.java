package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.Role;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.EverySecond;
import ch.ethz.mlmq.log.EverySecond.Column;
import ch.ethz.mlmq.log.LogFiles;
import ch.ethz.mlmq.log.LogHeader;
import ch.ethz.mlmq.log.LogStart;
import ch.ethz.mlmq.log.PerformanceLog;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The files that a JVM of load clients writes; or none of them, where nobody asked for any. */
public final class RunLogs implements AutoCloseable {
    private static final Duration IDLE = Duration.ofMillis(5);

    private final LogFiles files;
    private final LogStart start;
    private final int sample;
    private final Recorder performance;
    private final IntervalLog intervals;
    private final MessageLedger ledger;
    private final List<AgentRunner> runners = new ArrayList<>();

    private RunLogs(LogFiles files, LogStart start, int sample, Recorder performance, IntervalLog intervals,
            MessageLedger ledger) {
        this.files = files;
        this.start = start;
        this.sample = sample;
        this.performance = performance;
        this.intervals = intervals;
        this.ledger = ledger;
    }

    /** Counts, and writes nothing. */
    public static RunLogs none() {
        return new RunLogs(null, null, 0, Recorder.NONE, null, MessageLedger.counting());
    }

    /** Opens the files; their time counts from now on. */
    public static RunLogs open(String scenario, Settings settings, LogFiles files) throws IOException {
        LogStart start = LogStart.now();
        int position = files.position();
        int sample = settings.get(CommonKeys.LOG_SAMPLE);
        PerformanceLog performance = PerformanceLog.open(files.performance(), new LogHeader(scenario, Role.CLIENT,
                position, settings.get(ClientKeys.CLIENTS), sample, start), settings.get(CommonKeys.LOG_RING));
        MessageLedger ledger = settings.get(ClientKeys.RECORD_MESSAGES)
                ? MessageLedger.writing(files.folder().resolve("messages_client_" + position + ".csv"))
                : MessageLedger.counting();
        RunLogs logs = new RunLogs(files, start, sample, performance,
                new IntervalLog(files.histograms(), start.millis()), ledger);
        logs.runners.add(AgentRunner.start(performance, IDLE));
        return logs;
    }

    /** Begins to write both files of numbers, a line a second. */
    public void writeEverySecond(List<Column> statistics, List<Column> gauges) throws IOException {
        if (files != null) {
            runners.add(AgentRunner.start(EverySecond.statistics(files.statistics(), start, statistics),
                    EverySecond.IDLE));
            runners.add(AgentRunner.start(EverySecond.gauges(files.gauges(), start, gauges), EverySecond.IDLE));
        }
    }

    /** @return takes each request */
    public Recorder performance() {
        return performance;
    }

    /** @return one request in n is recorded, at random; 0 for none */
    public int sample() {
        return sample;
    }

    /** @return takes each interval; null where nobody wants it */
    public IntervalLog intervals() {
        return intervals;
    }

    /** @return counts messages */
    public MessageLedger ledger() {
        return ledger;
    }

    /** Writes the summary, where files are written. */
    public void write(RunSummary summary) throws IOException {
        if (files != null) {
            Files.writeString(files.summary(), summary.toJson() + "\n");
        }
    }

    /**
     * Writes the response times so far in place of the earlier ones, where files are written and something was
     * answered: those of the measuring phase, then those of all phases. Whoever reads the file finds it whole.
     *
     * @param digits significant decimal digits of the times
     */
    public void writeTimes(Figures figures, int digits) throws IOException {
        String seen = files == null ? "" : figures.encodedSeen(digits);
        if (!seen.isEmpty()) {
            Path whole = files.times().resolveSibling(files.times().getFileName() + ".new");
            Files.writeString(whole, figures.encodedTimes(digits) + "\nseen " + seen + "\n");
            Files.move(whole, files.times(), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Writes what is still to be written. */
    @Override
    public void close() throws IOException {
        runners.forEach(AgentRunner::close);
        ledger.close();
    }
}
