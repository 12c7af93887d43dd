package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.log.Action;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.FrameType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * Records how long subscriptions took to be made before or while their clients take part, and the delay of the first
 * message of those that were made under load. Many threads record.
 */
public final class Registrations {
    private static final Action SUBSCRIBED = Action.named("CReg#" + FrameType.SUBSCRIBE.label());
    private static final long NANOS_PER_MICRO = 1_000;
    private static final double NANOS = 1e9;

    private final Recorder log;
    private final Histogram times = new Histogram(Figures.DIGITS);
    private final Histogram firsts = new Histogram(Figures.DIGITS);
    private OptionalLong left = OptionalLong.empty();
    private int underWay;
    private long busySince;
    private long busyNanos;
    private long lastNanos;
    private boolean loaded;

    /** @param log takes each registration as an action */
    public Registrations(Recorder log) {
        this.log = log;
    }

    /** Records that the load begins: messages are published from now on. */
    public synchronized void loadBegins() {
        loaded = true;
    }

    /** @return true once messages are published */
    public synchronized boolean isLoaded() {
        return loaded;
    }

    /** Records that a registration is asked for. */
    public synchronized void asked(long nanos) {
        if (underWay++ == 0) {
            busySince = nanos;
        }
    }

    /**
     * Records a registration.
     *
     * @param clients that are connected
     */
    public synchronized void subscribed(long startNanos, long endNanos, int clients) {
        times.recordValue(Math.max(0, endNanos - startNanos) / NANOS_PER_MICRO);
        log.record(SUBSCRIBED, startNanos, endNanos, clients);
        ended(endNanos);
    }

    /** Records that no subscription was made, after all repetitions. */
    public synchronized void refused(long nanos) {
        ended(nanos);
    }

    /** Records the delay from an answered registration to the receipt of the first message [ns]. */
    public synchronized void first(long delayNanos) {
        firsts.recordValue(Math.max(0, delayNanos) / NANOS_PER_MICRO);
    }

    /** Records the number of messages that are left in the subscriptions at the end. */
    public synchronized void left(long messages) {
        left = OptionalLong.of(messages);
    }

    /** @return times of the registrations */
    public synchronized TimeSummary times() {
        return TimeSummary.of(times);
    }

    /** @return delays of first messages */
    public synchronized TimeSummary firsts() {
        return TimeSummary.of(firsts);
    }

    /** @return each time of a registration [us] with its number, so that those of several JVMs can be joined */
    public synchronized List<List<Long>> eachTime() {
        return each(times);
    }

    /** @return each delay of a first message [us] with its number */
    public synchronized List<List<Long>> eachFirst() {
        return each(firsts);
    }

    /**
     * @return registrations per second of the time in which any was under way, up to the last that ended; NaN if there
     * were none
     */
    public synchronized double rate() {
        long busy = busyNanos + (underWay > 0 ? Math.max(0, lastNanos - busySince) : 0);
        return times.getTotalCount() == 0 ? Double.NaN : times.getTotalCount() * NANOS / Math.max(1, busy);
    }

    /** @return messages left in the subscriptions at the end; empty if there are none, or it is not known */
    public synchronized OptionalLong left() {
        return left;
    }

    private void ended(long nanos) {
        lastNanos = nanos;
        if (--underWay == 0) {
            busyNanos += Math.max(0, nanos - busySince);
        }
    }

    private static List<List<Long>> each(Histogram histogram) {
        List<List<Long>> each = new ArrayList<>();
        histogram.recordedValues().forEach(value -> each.add(List.of(value.getValueIteratedTo(),
                value.getCountAddedInThisIterationStep())));
        return each;
    }
}
