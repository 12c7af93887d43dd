package ch.ethz.mlmq.calibration;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What both ends of a network test know, so that a stranger at the port is sent away. */
final class Token {
    static final int BYTES = 32;

    private final byte[] digest;

    Token(String words) {
        try {
            digest = MessageDigest.getInstance("SHA-256").digest(words.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    byte[] bytes() {
        return digest.clone();
    }

    boolean is(byte[] told) {
        return MessageDigest.isEqual(digest, told);
    }
}
