package ch.ethz.mlmq.storage;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Random numbers that cannot be guessed from earlier ones. Used by many threads. */
public final class Tokens {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Tokens() {
    }

    /** @return a token that identifies a client that has lost its connection; never 0 */
    public static long ofASession() {
        long token;
        do {
            token = RANDOM.nextLong();
        } while (token == 0);
        return token;
    }

    /** @return a token that identifies a leased delivery; positive */
    public static long ofALease() {
        return RANDOM.nextLong(1, Long.MAX_VALUE);
    }

    /** @return lease tokens of this many deliveries */
    public static long[] ofLeases(int count) {
        byte[] random = new byte[count * Long.BYTES];
        RANDOM.nextBytes(random);
        long[] tokens = new long[count];
        ByteBuffer.wrap(random).asLongBuffer().get(tokens);
        for (int i = 0; i < count; i++) {
            tokens[i] = Math.max(1, tokens[i] >>> 1);
        }
        return tokens;
    }
}
