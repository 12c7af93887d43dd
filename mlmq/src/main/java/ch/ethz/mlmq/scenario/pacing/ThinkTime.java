package ch.ethz.mlmq.scenario.pacing;

import java.util.random.RandomGenerator;

/** The time of a client of a closed load between a response and its next request. */
public sealed interface ThinkTime permits ThinkTime.Fixed, ThinkTime.Exponential, ThinkTime.Uniform {

    /** @return the next wait [ns], at least 0 */
    long nextNanos(RandomGenerator random);

    /** A constant think time; with 0 the next request starts at once. */
    record Fixed(long nanos) implements ThinkTime {
        /** @param nanos [ns], at least 0 */
        public Fixed {
            requireNotNegative(nanos);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return nanos;
        }
    }

    /** An exponentially distributed think time, as between independent events. */
    record Exponential(long meanNanos) implements ThinkTime {
        /** @param meanNanos [ns], at least 0 */
        public Exponential {
            requireNotNegative(meanNanos);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return Math.round(-Math.log1p(-random.nextDouble()) * meanNanos);
        }
    }

    /** A think time with a uniform distribution between two bounds. */
    record Uniform(long fromNanos, long toNanos) implements ThinkTime {
        /**
         * @param fromNanos shortest [ns], at least 0
         * @param toNanos   longest [ns], at least the shortest
         */
        public Uniform {
            requireNotNegative(fromNanos);
            if (toNanos < fromNanos) {
                throw new IllegalArgumentException("the longest think time is shorter than the shortest");
            }
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return random.nextLong(fromNanos, toNanos + 1);
        }
    }

    private static void requireNotNegative(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("a think time cannot be negative");
        }
    }
}
