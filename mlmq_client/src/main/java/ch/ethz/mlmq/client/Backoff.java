package ch.ethz.mlmq.client;

import java.util.random.RandomGenerator;

/** Pauses between attempts to connect. A pause doubles after each round, minus a random part for each client. */
final class Backoff {
    private final int minMillis;
    private final int maxMillis;
    private final int attemptsPerRound;
    private final RandomGenerator random;
    private int attempts;

    Backoff(ClientConfig config, RandomGenerator random) {
        this.minMillis = config.pauses().minMillis();
        this.maxMillis = config.pauses().maxMillis();
        this.attemptsPerRound = config.brokers().size();
        this.random = random;
    }

    /** @return the next pause [ms], from half of the round's pause to all of it */
    long nextMillis() {
        int round = attempts++ / attemptsPerRound;
        long due = round >= 31 ? maxMillis : Math.min(maxMillis, (long) minMillis << round);
        return due - random.nextLong(due / 2 + 1);
    }

    void reset() {
        attempts = 0;
    }
}
