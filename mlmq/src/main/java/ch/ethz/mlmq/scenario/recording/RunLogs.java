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

/** The files of a JVM of load clients, or none if no files are wanted. */
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

    /** @return logs that only count and write no file */
    public static RunLogs none() {
        return new RunLogs(null, null, 0, Recorder.NONE, null, MessageLedger.counting());
    }

    /** Opens the files; their time counts from now on. */
    public static RunLogs open(String scenario, Settings settings, LogFiles files) throws IOException {
        LogStart start = LogStart.now();
        int position = files.position();
        int sample = settings.get(CommonKeys.LOG_SAMPLE);
        PerformanceLog performance = PerformanceLog.open(files.performance(), new LogHeader(scenario, Role.CLIENT,
                position, settings.get(ClientKeys.CLIENTS), sample, start, List.of()),
                settings.get(CommonKeys.LOG_RING));
        MessageLedger ledger = settings.get(ClientKeys.RECORD_MESSAGES)
                ? MessageLedger.writing(files.folder().resolve("messages_client_" + position + ".csv"))
                : MessageLedger.counting();
        RunLogs logs = new RunLogs(files, start, sample, performance,
                new IntervalLog(files.histograms(), start.millis()), ledger);
        logs.runners.add(AgentRunner.start(performance, IDLE));
        return logs;
    }

    /** Begins to write both files of numbers, one line a second each. */
    public void writeEverySecond(List<Column> statistics, List<Column> gauges) throws IOException {
        if (files != null) {
            runners.add(AgentRunner.start(EverySecond.statistics(files.statistics(), start, statistics),
                    EverySecond.IDLE));
            runners.add(AgentRunner.start(EverySecond.gauges(files.gauges(), start, gauges), EverySecond.IDLE));
        }
    }

    /** @return the recorder of requests */
    public Recorder performance() {
        return performance;
    }

    /** @return one request in n is recorded, at random; 0 for none */
    public int sample() {
        return sample;
    }

    /** @return the log of intervals; null if it is not wanted */
    public IntervalLog intervals() {
        return intervals;
    }

    /** @return the ledger of messages */
    public MessageLedger ledger() {
        return ledger;
    }

    /** Writes the summary, if files are written. */
    public void write(RunSummary summary) throws IOException {
        if (files != null) {
            Files.writeString(files.summary(), summary.toJson() + "\n");
        }
    }

    /**
     * Replaces the file of response times, if files are written and there are any: first those of the measuring phase,
     * then those of all phases. The file is replaced as a whole.
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

    /** Writes pending data and closes the files. */
    @Override
    public void close() throws IOException {
        runners.forEach(AgentRunner::close);
        ledger.close();
    }
}
