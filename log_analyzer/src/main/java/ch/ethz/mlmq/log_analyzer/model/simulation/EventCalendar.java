package ch.ethz.mlmq.log_analyzer.model.simulation;

import java.util.Arrays;

/**
 * Future events, the earliest first: R. Brown, <i>Calendar Queues: A Fast O(1) Priority Queue Implementation for the
 * Simulation Event Set Problem</i>, CACM 31, 1988. Days of equal length hold about one event each, so adding and
 * removing an event costs the same however many there are.
 */
final class EventCalendar {
    private static final int NONE = -1;
    private static final int FEWEST_DAYS = 16;
    private static final int LOOKED_AT_EVERY = 1 << 14;
    private static final double DAY = 1.5;
    /** Largest ratio by which a day may be longer or shorter than it should be. */
    private static final double OFF = 3;

    private int[] first;
    private int mask;
    private double daysPerSecond;
    private long today;

    private double[] times;
    private int[] events;
    private int[] next;
    private int free = NONE;
    private int used;
    private int size;

    private double takenTime;
    private int taken;
    private double lookedAt;

    /** @param room number of events expected at once @param gap approximate mean time between two of them [s] */
    EventCalendar(int room, double gap) {
        times = new double[Math.max(FEWEST_DAYS, room)];
        events = new int[times.length];
        next = new int[times.length];
        arrange(room, gap > 0 ? gap : 1);
    }

    /** @param time not before that of the last event taken */
    void add(double time, int event) {
        int slot = free;
        if (slot == NONE) {
            if (used == times.length) {
                times = Arrays.copyOf(times, 2 * used);
                events = Arrays.copyOf(events, 2 * used);
                next = Arrays.copyOf(next, 2 * used);
            }
            slot = used++;
        } else {
            free = next[slot];
        }
        times[slot] = time;
        events[slot] = event;
        link(slot);
        size++;
    }

    /** @return the earliest event, which is removed; there must be one */
    int take() {
        if (++taken == LOOKED_AT_EVERY) {
            adapt();
        }
        int empty = 0;
        while (true) {
            int day = (int) today & mask;
            int earliest = NONE;
            int before = NONE;
            double time = Double.POSITIVE_INFINITY;
            for (int slot = first[day], previous = NONE; slot != NONE; previous = slot, slot = next[slot]) {
                if (times[slot] < time) {
                    time = times[slot];
                    earliest = slot;
                    before = previous;
                }
            }
            if (earliest != NONE && (long) (time * daysPerSecond) <= today) {
                return takeOut(earliest, before, day);
            }
            today++;
            if (++empty > mask) {
                today = (long) (earliestTime() * daysPerSecond);
                empty = 0;
            }
        }
    }

    /** @return time of the event that was taken last */
    double time() {
        return takenTime;
    }

    private int takeOut(int slot, int before, int day) {
        if (before == NONE) {
            first[day] = next[slot];
        } else {
            next[before] = next[slot];
        }
        next[slot] = free;
        free = slot;
        size--;
        takenTime = times[slot];
        return events[slot];
    }

    private void link(int slot) {
        int day = (int) (long) (times[slot] * daysPerSecond) & mask;
        next[slot] = first[day];
        first[day] = slot;
    }

    private double earliestTime() {
        double time = Double.POSITIVE_INFINITY;
        for (int head : first) {
            for (int slot = head; slot != NONE; slot = next[slot]) {
                time = Math.min(time, times[slot]);
            }
        }
        return time;
    }

    /** Adapts the length of days to recent events. */
    private void adapt() {
        double gap = (takenTime - lookedAt) / taken;
        double off = gap * DAY * daysPerSecond;
        boolean crowded = size > 2 * first.length || size * 8 < first.length && first.length > FEWEST_DAYS;
        if (gap > 0 && (off > OFF || off < 1 / OFF || crowded)) {
            arrange(size, gap);
        }
        lookedAt = takenTime;
        taken = 0;
    }

    private void arrange(int room, double gap) {
        int[] before = first;
        int days = Integer.highestOneBit(Math.max(FEWEST_DAYS, room) * 2 - 1);
        first = new int[days];
        Arrays.fill(first, NONE);
        mask = days - 1;
        daysPerSecond = 1 / (DAY * gap);
        today = (long) (takenTime * daysPerSecond);
        for (int head : before == null ? new int[0] : before) {
            for (int slot = head; slot != NONE;) {
                int following = next[slot];
                link(slot);
                slot = following;
            }
        }
    }
}
