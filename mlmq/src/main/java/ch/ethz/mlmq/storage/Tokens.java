package ch.ethz.mlmq.storage;

import java.security.SecureRandom;

/** Numbers that nobody can guess, from what others got. Used by many threads. */
public final class Tokens {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Tokens() {
    }

    /** @return shows that a registration is that of a client which has lost its connection; never 0 */
    public static long ofASession() {
        long token;
        do {
            token = RANDOM.nextLong();
        } while (token == 0);
        return token;
    }

    /** @return names a delivery under a lease; positive */
    public static long ofALease() {
        return RANDOM.nextLong(1, Long.MAX_VALUE);
    }
}
