package ch.ethz.mlmq.scenario.workload;

import java.util.List;
import java.util.random.RandomGenerator;

/** How long the messages of a load are. */
public sealed interface MessageSizes {

    /** @return the length of the next message [bytes] */
    int next(RandomGenerator random);

    /** @return the shortest there may be [bytes] */
    int min();

    /** @return the longest there may be [bytes] */
    int max();

    /** All alike. */
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

    /** Any length between two bounds alike. */
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

    /** One of a list, each as often as it stands there. */
    record OneOf(List<Integer> sizes) implements MessageSizes {
        /** Checks that the list has something in it. */
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
