package ch.ethz.mlmq.scenario.workload;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Random numbers that depend only on the seed of a run and on the JVM and client that use them. */
public final class Seeds {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private Seeds() {
    }

    /**
     * @param seed     of the run
     * @param position of the JVM among the clients
     * @param client   of the JVM; -1 for the JVM as a whole
     * @return a generator for this client of this JVM
     */
    public static RandomGenerator generator(long seed, int position, int client) {
        return new SplittableRandom(mix(mix(seed + GOLDEN_GAMMA * (position + 1)) + GOLDEN_GAMMA * (client + 2)));
    }

    /** Mixes a seed with the finalizer of SplitMix64, so that near seeds give unrelated sequences. */
    static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
