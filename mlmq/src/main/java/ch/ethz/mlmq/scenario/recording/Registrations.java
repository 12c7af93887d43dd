package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.log.Action;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.FrameType;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Records how long subscriptions took to be made before or while their clients take part. Many threads record. */
public final class Registrations {
    private static final Action SUBSCRIBED = Action.named("CSndReq#OK#" + FrameType.SUBSCRIBE.label());
    private static final long NANOS_PER_MICRO = 1_000;

    private final Recorder log;
    private final Histogram times = new Histogram(Figures.DIGITS);
    private OptionalLong left = OptionalLong.empty();

    /** @param log takes each registration as an action */
    public Registrations(Recorder log) {
        this.log = log;
    }

    /**
     * Records a registration.
     *
     * @param clients that are connected
     */
    public synchronized void subscribed(long startNanos, long endNanos, int clients) {
        times.recordValue(Math.max(0, endNanos - startNanos) / NANOS_PER_MICRO);
        log.record(SUBSCRIBED, startNanos, endNanos, clients);
    }

    /** Records the number of messages that are left in the subscriptions at the end. */
    public synchronized void left(long messages) {
        left = OptionalLong.of(messages);
    }

    /** @return times of the registrations */
    public synchronized TimeSummary times() {
        return TimeSummary.of(times);
    }

    /** @return messages left in the subscriptions at the end; empty if there are none, or it is not known */
    public synchronized OptionalLong left() {
        return left;
    }
}
