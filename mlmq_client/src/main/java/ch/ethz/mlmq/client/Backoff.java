package ch.ethz.mlmq.client;

import java.util.random.RandomGenerator;

/** How long to wait before the next attempt: twice as long after each round, less a random part for each client. */
final class Backoff {
    private final int minMillis;
    private final int maxMillis;
    private final int attemptsPerRound;
    private final RandomGenerator random;
    private int attempts;

    Backoff(ClientConfig config, RandomGenerator random) {
        this.minMillis = config.backoffMinMillis();
        this.maxMillis = config.backoffMaxMillis();
        this.attemptsPerRound = config.brokers().size();
        this.random = random;
    }

    /** @return [ms], between half of what the round is due and the whole of it */
    long nextMillis() {
        int round = attempts++ / attemptsPerRound;
        long due = round >= 31 ? maxMillis : Math.min(maxMillis, (long) minMillis << round);
        return due - random.nextLong(due / 2 + 1);
    }

    void reset() {
        attempts = 0;
    }
}
