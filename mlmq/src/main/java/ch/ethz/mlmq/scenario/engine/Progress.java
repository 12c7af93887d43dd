package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.json.JsonObject;
import ch.ethz.mlmq.log.JvmMemory;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.ClockOffset;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.Interval;
import ch.ethz.mlmq.scenario.recording.MessageCounts;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import ch.ethz.mlmq.scenario.recording.TimeSummary;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Reports the progress of a run, one line of JSON at a time. Used by one thread. */
final class Progress {
    private static final TimeSummary NONE = new TimeSummary(0, 0, 0, 0, 0);
    private static final Interval NOTHING = new Interval(0, 1, NONE, NONE, NONE);

    private final Consumer<String> out;
    private final String scenario;
    private final int position;
    private final IntSupplier waiting;
    private final Supplier<Optional<RunSummary.PartOfLoad>> part;
    private volatile Phase phase = Phase.CONNECTING;
    private volatile Interval last = NOTHING;

    /**
     * @param out     takes each line
     * @param waiting gives the number of requests that wait to start
     * @param part    gives the part of the load at work
     */
    Progress(Consumer<String> out, String scenario, int position, IntSupplier waiting,
            Supplier<Optional<RunSummary.PartOfLoad>> part) {
        this.out = out;
        this.scenario = scenario;
        this.position = position;
        this.waiting = waiting;
        this.part = part;
    }

    Phase phase() {
        return phase;
    }

    /** Reports a change of phase. */
    void enter(Phase entered, int connected, Recording recording) {
        phase = entered;
        out.accept(line(connected, recording));
    }

    /** Reports a finished interval. */
    void interval(Interval over, int connected, Recording recording) {
        last = over;
        out.accept(line(connected, recording));
    }

    /** Repeats the last report with current numbers. */
    void repeat(int connected, Recording recording) {
        out.accept(line(connected, recording));
    }

    /** @return the current line; {@code recording} is null before the load */
    String line(int connected, Recording recording) {
        long ok = 0;
        long errors = 0;
        long late = 0;
        if (recording != null) {
            for (Counts counts : recording.allCounts()) {
                ok += counts.ok();
                errors += counts.errorSum();
                late += counts.late();
            }
        }
        Interval interval = last;
        Optional<RunSummary.PartOfLoad> atWork = part.get();
        return new JsonObject()
                .put("ms", System.currentTimeMillis())
                .put("role", "client")
                .put("position", position)
                .put("scenario", scenario)
                .put("state", phase.label())
                .put("load_part", atWork.map(RunSummary.PartOfLoad::number).orElse(null))
                .put("load_part_ms", atWork.map(RunSummary.PartOfLoad::fromMillis).orElse(null))
                .put("clients", connected)
                .put("rate", interval.rate())
                .put("mean", interval.response().mean())
                .put("p99", interval.response().p99())
                .put("e2e_p99", interval.endToEnd().p99())
                .put("ack_p99", interval.acknowledged().p99())
                .put("clock_offset_ms", ClockOffset.toldOrNull())
                .put("ok", ok)
                .put("errors", errors)
                .put("late", late)
                .put("sent", messages(recording, MessageCounts::sent))
                .put("received", messages(recording, MessageCounts::received))
                .put("takes", messages(recording, MessageCounts::takes))
                .put("empty_takes", messages(recording, MessageCounts::emptyTakes))
                .put("waiting", waiting.getAsInt())
                .put("heap", JvmMemory.heap())
                .put("gcs", JvmMemory.collections())
                .put("gc_ms", JvmMemory.collectingMillis())
                .toString();
    }

    private static long messages(Recording recording, ToLongFunction<MessageCounts> count) {
        return recording == null ? 0 : recording.allMessages().stream().mapToLong(count).sum();
    }
}
