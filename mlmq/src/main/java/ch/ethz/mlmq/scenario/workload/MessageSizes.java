package ch.ethz.mlmq.scenario.workload;

import java.util.List;
import java.util.random.RandomGenerator;

/** The lengths of a load's messages. */
public sealed interface MessageSizes {

    /** @return the length of the next message [bytes] */
    int next(RandomGenerator random);

    /** @return the shortest possible length [bytes] */
    int min();

    /** @return the longest possible length [bytes] */
    int max();

    /** All messages have the same length. */
    record Fixed(int bytes) implements MessageSizes {
        @Override
        public int next(RandomGenerator random) {
            return bytes;
        }

        @Override
        public int min() {
            return bytes;
        }

        @Override
        public int max() {
            return bytes;
        }
    }

    /** Lengths are uniformly distributed between two bounds. */
    record Uniform(int min, int max) implements MessageSizes {
        /** Checks that the bounds are in order. */
        public Uniform {
            if (max < min) {
                throw new IllegalArgumentException("the longest message is shorter than the shortest");
            }
        }

        @Override
        public int next(RandomGenerator random) {
            return random.nextInt(min, max + 1);
        }
    }

    /** Each length of a list is equally likely; one may be listed several times. */
    record OneOf(List<Integer> sizes) implements MessageSizes {
        /** Checks that the list is not empty. */
        public OneOf {
            sizes = List.copyOf(sizes);
            if (sizes.isEmpty()) {
                throw new IllegalArgumentException("a list of message sizes needs at least one");
            }
        }

        @Override
        public int next(RandomGenerator random) {
            return sizes.get(random.nextInt(sizes.size()));
        }

        @Override
        public int min() {
            return sizes.stream().mapToInt(Integer::intValue).min().orElseThrow();
        }

        @Override
        public int max() {
            return sizes.stream().mapToInt(Integer::intValue).max().orElseThrow();
        }
    }
}
