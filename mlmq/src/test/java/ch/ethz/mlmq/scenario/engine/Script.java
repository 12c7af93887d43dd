package ch.ethz.mlmq.scenario.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A load of one JVM and what happens to it. All times in ns since its start.
 *
 * @param seed     what the times of responses and the random arrivals come from
 * @param open     whether it has a rate, else each client works through its own requests
 * @param random   whether arrivals are a Poisson process
 * @param each     whether the rate is that of each client
 * @param rate     at the start
 * @param clients  at the start
 * @param inflight of each client, at most
 * @param think    of a closed load
 * @param warmup   its length
 * @param duration its length
 * @param cooldown its length
 * @param requests that may start while measuring; 0 for any number
 * @param patience how long what waits at the end may still start
 * @param events   in the order of their times, no two at the same; those below 0 come before the start
 */
record Script(long seed, boolean open, boolean random, boolean each, Rate rate, int clients, int inflight, long think,
        long warmup, long duration, long cooldown, long requests, long patience, List<Event> events) {
    static final int MOST_CLIENTS = 5;
    static final long MILLI = 1_000_000;

    /** A rate that changes linearly [1/s] over a time [ns], and then stays. */
    record Rate(double from, double to, long over) {
    }

    /** Kinds of events. */
    enum Kind {
        PAUSE, RESUME, RATE, CLIENTS, SHUT_DOWN, CUT, BACK
    }

    /**
     * Something that happens.
     *
     * @param number how many clients, or which client's connection
     * @param rate   of a RATE
     */
    record Event(long at, Kind kind, int number, Rate rate) {
    }

    static Script random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean open = random.nextInt(4) > 0;
        long warmup = random.nextBoolean() ? 0 : random.nextLong(1, 300 * MILLI);
        long duration = random.nextLong(200 * MILLI, 1_500 * MILLI);
        long cooldown = random.nextBoolean() ? 0 : random.nextLong(1, 300 * MILLI);
        long all = warmup + duration + cooldown;
        List<Event> events = new ArrayList<>();
        long at = 0;
        for (int i = random.nextInt(13); i > 0; i--) {
            // Half of them follow another one soon.
            at = at > 0 && random.nextBoolean() ? at + random.nextLong(1, 30 * MILLI)
                    : random.nextLong(1, all + all / 10);
            events.add(event(random, at));
        }
        events.addAll(beforeTheStart(new SplittableRandom(~seed)));
        events.sort(Comparator.comparingLong(Event::at));
        return new Script(seed, open, random.nextBoolean(), random.nextBoolean(), rate(random),
                random.nextInt(1, MOST_CLIENTS + 1), random.nextInt(1, 5),
                random.nextBoolean() ? 0 : random.nextLong(1, 100 * MILLI), warmup, duration, cooldown,
                random.nextInt(3) > 0 ? 0 : random.nextInt(1, 200), random.nextLong(1, 100 * MILLI), events);
    }

    /** The start is known for a while before it comes: who is told something then acts on it from the start on. */
    private static List<Event> beforeTheStart(SplittableRandom random) {
        return random.longs(Math.max(0, random.nextInt(8) - 4), -900 * MILLI, -MILLI).distinct()
                .mapToObj(at -> event(random, at)).filter(event -> event.kind() != Kind.SHUT_DOWN).toList();
    }

    private static Event event(SplittableRandom random, long at) {
        Kind kind = random.nextInt(20) == 0 ? Kind.SHUT_DOWN
                : List.of(Kind.PAUSE, Kind.RESUME, Kind.RESUME, Kind.RATE, Kind.CLIENTS, Kind.CLIENTS, Kind.CUT,
                        Kind.BACK, Kind.BACK).get(random.nextInt(9));
        int number = kind == Kind.CLIENTS ? random.nextInt(1, MOST_CLIENTS + 1) : random.nextInt(MOST_CLIENTS);
        return new Event(at, kind, number, kind == Kind.RATE ? rate(random) : null);
    }

    private static Rate rate(SplittableRandom random) {
        double from = random.nextDouble(10, 400);
        return random.nextBoolean() ? new Rate(from, from, 1)
                : new Rate(from, random.nextDouble(10, 400), random.nextLong(MILLI, 1_000 * MILLI));
    }

    /** @return how long the response takes to a client's request, counted from 0 [ns] */
    long answerTime(int client, int request) {
        SplittableRandom random = new SplittableRandom(seed * 31 + client * 1_000_003L + request);
        return random.nextInt(20) == 0 ? random.nextLong(100 * MILLI, 400 * MILLI) : random.nextLong(1, 10 * MILLI);
    }

    /**
     * A request that started and ended.
     *
     * @param intended when it was to start
     */
    record Request(int client, long intended, long started, long ended, String outcome) {
    }

    /**
     * The results.
     *
     * @param counts  of each phase, by name: started, ok, lost, never started, late, late by the client
     * @param planned arrivals of measuring; 0 of a closed load
     */
    record Outcome(List<Request> requests, List<String> counts, double planned) {
    }
}
