package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Laws by which requests of made-up runs come and take their time: 500 a second, 2 ms on average, roughly. */
enum CoverageLaw {
    INDEPENDENT("independent, exponential"),
    BIMODAL("bimodal: 1 ms, every twentieth 20 ms"),
    HEAVY("heavy-tailed: Pareto, exponent 2.5"),
    STALLS("a stall of 0.1 s every 2 s, by chance", 0.1, 2), RARE_STALLS("one of 0.3 s every 10 s, by chance", 0.3, 10),
    IRREGULAR("stalls of 0.3 s on average every 15 s", 0.3, 15),
    LIMITED("rate-limited: a queue that is 90 % busy"),
    SLOW_01("AR(1) in time, 0.1 s", 0.1), SLOW_03("AR(1) in time, 0.3 s", 0.3), SLOW_1("AR(1) in time, 1 s", 1),
    SLOW_3("AR(1) in time, 3 s", 3), SLOW_10("AR(1) in time, 10 s", 10);

    static final double RATE = 500; // 1/s
    private static final double MEAN = 2_000; // us
    private static final double STEP = 0.02; // s
    private static final double LEVEL = 0.4;
    private static final double LOAD = 0.2;
    private static final double BUSY = 0.9;
    private static final double PARETO = 2.5;

    private final String words;
    private final double constant;
    private final double stall;
    private final double stallEvery;

    CoverageLaw(String words) {
        this(words, 0);
    }

    /** @param constant in which the level of the durations, and the rate against it, are forgotten [s] */
    CoverageLaw(String words, double constant) {
        this(words, constant, 0, Double.POSITIVE_INFINITY);
    }

    /** @param stall length of a stall [s]; @param stallEvery from one to the next, on average [s] */
    CoverageLaw(String words, double stall, double stallEvery) {
        this(words, 0, stall, stallEvery);
    }

    CoverageLaw(String words, double constant, double stall, double stallEvery) {
        this.words = words;
        this.constant = constant;
        this.stall = stall;
        this.stallEvery = stallEvery;
    }

    String words() {
        return words;
    }

    /** When each request began [s] and what it took [us]. */
    record Requests(double[] times, int[] durations) {
    }

    /** @return a run whose durations do not depend on time as long as this law's do, but are distributed alike */
    Requests longRun(double seconds, SplittableRandom random) {
        return requests(seconds, Math.min(constant, 2 * STEP), 1, random);
    }

    /** @param slower by how much all durations are multiplied */
    Requests requests(double seconds, double slower, SplittableRandom random) {
        return requests(seconds, constant, slower, random);
    }

    private Requests requests(double seconds, double forgets, double slower, SplittableRandom random) {
        double[] times = new double[(int) (seconds * RATE * 1.3) + 1_000];
        int[] durations = new int[times.length];
        int count = 0;
        double kept = forgets == 0 ? 0 : Math.exp(-STEP / forgets);
        double state = random.nextGaussian();
        double stepEnd = STEP;
        double stallEnd = 0;
        double nextStall = exponential(random) * stallEvery;
        double backlog = 0;
        double time = 0;
        while (count < times.length) {
            double rate = forgets == 0 ? RATE : RATE * Math.exp(-LOAD * state - LOAD * LOAD / 2);
            double gap = exponential(random) / rate;
            if (forgets > 0 && time + gap > stepEnd) {
                time = stepEnd;
                stepEnd += STEP;
                state = kept * state + Math.sqrt(1 - kept * kept) * random.nextGaussian();
                continue;
            }
            time += gap;
            if (time >= seconds) {
                break;
            }
            for (; time >= nextStall; nextStall += exponential(random) * stallEvery) {
                stallEnd = Math.max(stallEnd, nextStall + stall * (this == IRREGULAR ? exponential(random) : 1));
            }
            backlog = Math.max(0, backlog - gap);
            double us = switch (this) {
                case BIMODAL -> (random.nextInt(20) == 0 ? 20_000 : 1_000) * (0.5 + random.nextDouble());
                case HEAVY -> MEAN * (1 - 1 / PARETO) * Math.pow(1 - random.nextDouble(), -1 / PARETO);
                case STALLS, RARE_STALLS, IRREGULAR -> MEAN * exponential(random) + Math.max(0, stallEnd - time) * 1e6;
                case LIMITED -> (backlog + BUSY / RATE) * 1e6;
                case INDEPENDENT -> MEAN * exponential(random);
                default -> MEAN * Math.exp(LEVEL * state) * exponential(random);
            };
            backlog += BUSY / RATE;
            times[count] = time;
            durations[count++] = (int) Math.min(Integer.MAX_VALUE, Math.round(us * slower));
        }
        return new Requests(Arrays.copyOf(times, count), Arrays.copyOf(durations, count));
    }

    private static double exponential(SplittableRandom random) {
        return -Math.log1p(-random.nextDouble());
    }
}
