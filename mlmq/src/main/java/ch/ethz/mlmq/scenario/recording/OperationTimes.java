package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.protocol.FrameType;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Times of one kind (response or service) by operation [us]. Many threads record them without blocking; one takes them
 * once a second.
 */
final class OperationTimes {
    private static final int DIGITS = 3;
    private static final FrameType[] TYPES = FrameType.values();

    private final Recorder[] recorders = new Recorder[TYPES.length];

    OperationTimes() {
        for (FrameType type : TYPES) {
            if (type.isRequest()) {
                recorders[type.ordinal()] = new Recorder(DIGITS);
            }
        }
    }

    void record(FrameType operation, long micros) {
        recorders[operation.ordinal()].recordValue(micros);
    }

    /** @return recordings since the last call, for each operation that has any */
    Map<FrameType, Histogram> takeInterval() {
        Map<FrameType, Histogram> interval = new EnumMap<>(FrameType.class);
        for (FrameType type : TYPES) {
            if (type.isRequest()) {
                Histogram histogram = recorders[type.ordinal()].getIntervalHistogram();
                if (histogram.getTotalCount() > 0) {
                    interval.put(type, histogram);
                }
            }
        }
        return interval;
    }
}
