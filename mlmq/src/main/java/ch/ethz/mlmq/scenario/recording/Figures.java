package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.pacing.Phase;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Gathers recordings interval by interval: for the log of intervals, for the line of progress, and for the results of
 * the measuring phase. Used by one thread.
 */
public final class Figures implements Closeable {
    /** Precision of results: values are known to 0.1 %. */
    public static final int DIGITS = 3;
    /** Precision of values reported every second: they are known to 1 %, in a third of the bytes. */
    public static final int ROUGH_DIGITS = 2;

    private final Recording recording;
    private final IntervalLog log;
    private final Histogram response = new Histogram(DIGITS);
    private final Histogram seen = new Histogram(DIGITS);
    private final Histogram service = new Histogram(DIGITS);
    private final Histogram endToEnd = new Histogram(DIGITS);
    private final Histogram acknowledged = new Histogram(DIGITS);
    private final Map<FrameType, Histogram> operations = new EnumMap<>(FrameType.class);
    private long lastMillis;

    /**
     * @param log         takes each interval; null for no log
     * @param startMillis of the first interval [ms UTC]
     */
    public Figures(Recording recording, IntervalLog log, long startMillis) {
        this.recording = recording;
        this.log = log;
        this.lastMillis = startMillis;
    }

    /**
     * Ends an interval.
     *
     * @param nowMillis [ms UTC]
     */
    public Interval endInterval(long nowMillis) {
        Map<String, Histogram> tagged = new TreeMap<>();
        Histogram all = new Histogram(DIGITS);
        Histogram received = new Histogram(DIGITS);
        Histogram settled = new Histogram(DIGITS);
        recording.takeInterval(new Recording.IntervalReader() {
            @Override
            public void response(Phase phase, FrameType operation, Histogram times) {
                all.add(times);
                seen.add(times);
                add(tagged, tag(phase, operation), times);
                if (phase == Phase.MEASURING) {
                    response.add(times);
                    operations.computeIfAbsent(operation, unseen -> new Histogram(DIGITS)).add(times);
                }
            }

            @Override
            public void service(Phase phase, FrameType operation, Histogram times) {
                add(tagged, tag(phase, operation) + ":service", times);
                if (phase == Phase.MEASURING) {
                    service.add(times);
                }
            }

            @Override
            public void endToEnd(Phase phase, Histogram times) {
                add(phase, times, received, endToEnd);
            }

            @Override
            public void acknowledged(Phase phase, Histogram times) {
                add(phase, times, settled, acknowledged);
            }
        });
        long start = lastMillis;
        lastMillis = nowMillis;
        if (log != null) {
            tagged.forEach((tag, times) -> log.write(tag, start, nowMillis, times));
        }
        return new Interval(start, nowMillis, TimeSummary.of(all), TimeSummary.of(received), TimeSummary.of(settled));
    }

    /** @return response times of the measuring phase */
    public TimeSummary response() {
        return TimeSummary.of(response);
    }

    /**
     * Encodes the response times of the measuring phase in HdrHistogram's compressed form (V2) and Base64, so that
     * those of several JVMs can be added.
     *
     * @param digits significant decimal digits of the times
     * @return empty if nothing has been measured yet
     */
    public String encodedTimes(int digits) {
        return encoded(response, digits);
    }

    /** @return the response times of all phases, encoded in the same way, for the times between any two moments */
    public String encodedSeen(int digits) {
        return encoded(seen, digits);
    }

    private static String encoded(Histogram times, int digits) {
        if (times.getTotalCount() == 0) {
            return "";
        }
        Histogram rounded = new Histogram(digits);
        rounded.add(times);
        ByteBuffer bytes = ByteBuffer.allocate(rounded.getNeededByteBufferCapacity());
        int length = rounded.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    /** @return service times of the measuring phase; in a closed load the response times */
    public TimeSummary service() {
        return service.getTotalCount() == 0 ? response() : TimeSummary.of(service);
    }

    /** @return times from the intended start of sending to the receipt, of messages of the measuring phase */
    public TimeSummary endToEnd() {
        return TimeSummary.of(endToEnd);
    }

    /** @return times from the intended start of sending to the acknowledgement, of messages of the measuring phase */
    public TimeSummary acknowledged() {
        return TimeSummary.of(acknowledged);
    }

    /** @return response times of the measuring phase by operation */
    public Map<String, TimeSummary> operations() {
        Map<String, TimeSummary> summaries = new TreeMap<>();
        operations.forEach((operation, times) -> summaries.put(operation.label(), TimeSummary.of(times)));
        return summaries;
    }

    @Override
    public void close() throws IOException {
        if (log != null) {
            log.close();
        }
    }

    /** Tags requests by the phase of their intended start, whenever their response comes. */
    private static String tag(Phase phase, FrameType operation) {
        return phase == Phase.MEASURING ? operation.label() : phase.label() + ":" + operation.label();
    }

    private static void add(Phase phase, Histogram times, Histogram ofInterval, Histogram ofMeasuring) {
        ofInterval.add(times);
        if (phase == Phase.MEASURING) {
            ofMeasuring.add(times);
        }
    }

    private static void add(Map<String, Histogram> tagged, String tag, Histogram times) {
        tagged.computeIfAbsent(tag, unseen -> new Histogram(DIGITS)).add(times);
    }
}
