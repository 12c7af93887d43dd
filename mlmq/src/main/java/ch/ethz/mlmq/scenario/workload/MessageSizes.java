package ch.ethz.mlmq.scenario.workload;

import java.util.List;
import java.util.random.RandomGenerator;

/** The lengths of a load's messages. */
public sealed interface MessageSizes permits MessageSizes.Fixed, MessageSizes.Uniform, MessageSizes.OneOf,
        MessageSizes.Zipf, MessageSizes.Mixed {

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

    /** A length k between two bounds comes with a probability proportional to 1/k: short messages are usual. */
    record Zipf(int min, int max) implements MessageSizes {
        /** Checks that the bounds are in order. */
        public Zipf {
            new Uniform(min, max);
        }

        @Override
        public int next(RandomGenerator random) {
            return Math.min(max, (int) (min * Math.pow((max + 1.0) / min, random.nextDouble())));
        }
    }

    /**
     * Each part comes with its share.
     *
     * @param percents of the parts; their sum is 100
     */
    record Mixed(List<Double> percents, List<MessageSizes> parts) implements MessageSizes {
        private static final double ALL = 100;
        private static final double ROUNDED = 0.05;

        /** Checks that the shares are all. */
        public Mixed {
            percents = List.copyOf(percents);
            parts = List.copyOf(parts);
            double sum = percents.stream().mapToDouble(Double::doubleValue).sum();
            if (percents.size() != parts.size() || Math.abs(sum - ALL) > ROUNDED) {
                throw new IllegalArgumentException("the shares of message sizes add up to " + sum + " %, not to 100 %");
            }
        }

        @Override
        public int next(RandomGenerator random) {
            double drawn = random.nextDouble(ALL);
            int last = parts.size() - 1;
            int part = 0;
            for (double upTo = percents.get(0); part < last && drawn >= upTo; upTo += percents.get(part)) {
                part++;
            }
            return parts.get(part).next(random);
        }

        @Override
        public int min() {
            return parts.stream().mapToInt(MessageSizes::min).min().orElseThrow();
        }

        @Override
        public int max() {
            return parts.stream().mapToInt(MessageSizes::max).max().orElseThrow();
        }
    }
}
