package ch.ethz.mlmq.db;

import java.security.SecureRandom;

/** What shows that a registration is that of a client which has lost its connection. */
final class SessionTokens {
    private static final SecureRandom RANDOM = new SecureRandom();

    private SessionTokens() {
    }

    /** @return one that nobody can guess, never 0 */
    static long fresh() {
        long token;
        do {
            token = RANDOM.nextLong();
        } while (token == 0);
        return token;
    }
}
