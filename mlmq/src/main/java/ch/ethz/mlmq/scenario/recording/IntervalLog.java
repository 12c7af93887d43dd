package ch.ethz.mlmq.scenario.recording;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * HdrHistogram's own log of intervals: one histogram a second and operation, values in us. Unlike percentiles,
 * histograms of many JVMs add up exactly. Used by one thread.
 */
public final class IntervalLog implements Closeable {
    private final OutputStream out;
    private final HistogramLogWriter writer;

    /**
     * @param file        created or replaced; its folder is created if it is missing
     * @param startMillis of the first interval [ms UTC]
     */
    public IntervalLog(Path file, long startMillis) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        out = Files.newOutputStream(file);
        writer = new HistogramLogWriter(out);
        writer.outputComment("MLMQ load client, values in us, tag = operation, :service from the actual start; "
                + "warmup: and cooldown: of what was to start then");
        writer.outputLogFormatVersion();
        writer.outputStartTime(startMillis);
        writer.setBaseTime(startMillis);
        writer.outputLegend();
    }

    /**
     * @param tag         operation, such as {@code sendMessage} or {@code sendMessage:service}, after {@code warmup:}
     * or {@code cooldown:} if it is not of the measuring phase
     * @param startMillis of the interval [ms UTC]
     * @param endMillis   of the interval [ms UTC]
     */
    public void write(String tag, long startMillis, long endMillis, Histogram histogram) {
        histogram.setTag(tag);
        histogram.setStartTimeStamp(startMillis);
        histogram.setEndTimeStamp(endMillis);
        writer.outputIntervalHistogram(histogram);
    }

    @Override
    public void close() throws IOException {
        writer.close();
        out.close();
    }
}
