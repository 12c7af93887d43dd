package ch.ethz.mlmq.protocol.scram;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server keeps of a password: enough to verify a proof, too little to make one. Its text is that of PostgreSQL,
 * {@code SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>}.
 */
public final class ScramVerifier {
    private static final Pattern TEXT = Pattern.compile("SCRAM-SHA-256\\$(\\d{1,9}):([A-Za-z0-9+/=]+)\\$"
            + "([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)");

    private final int iterations;
    private final byte[] salt;
    private final byte[] storedKey;
    private final byte[] serverKey;

    private ScramVerifier(int iterations, byte[] salt, byte[] storedKey, byte[] serverKey) {
        this.iterations = iterations;
        this.salt = salt;
        this.storedKey = storedKey;
        this.serverKey = serverKey;
    }

    /**
     * Takes milliseconds.
     *
     * @throws IllegalArgumentException if the password is empty or has a character that no password may have
     */
    public static ScramVerifier of(String password) {
        return of(password, Scram.random(Scram.SALT_BYTES), Scram.ITERATIONS);
    }

    static ScramVerifier of(String password, byte[] salt, int iterations) {
        String prepared = SaslPrep.of(password);
        if (prepared.isEmpty()) {
            throw new IllegalArgumentException("a password has at least one character");
        }
        byte[] salted = Scram.saltedPassword(prepared, salt, iterations);
        return new ScramVerifier(iterations, salt, Scram.hash(Scram.clientKey(salted)), Scram.serverKey(salted));
    }

    /**
     * Makes the verifier of a name that does not exist. It accepts no proof, and its salt is the same each time, so
     * nobody can tell it from one that exists.
     *
     * @param secret known to servers alone
     */
    public static ScramVerifier ofNobody(byte[] secret, String name) {
        byte[] salt = new byte[Scram.SALT_BYTES];
        System.arraycopy(Scram.hmac(secret, "salt of " + name), 0, salt, 0, salt.length);
        return new ScramVerifier(Scram.ITERATIONS, salt, Scram.random(Scram.KEY_BYTES), Scram.random(Scram.KEY_BYTES));
    }

    /** @throws IllegalArgumentException if the text is no verifier */
    public static ScramVerifier parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("it is not SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>");
        }
        Base64.Decoder base64 = Base64.getDecoder();
        ScramVerifier verifier = new ScramVerifier(Integer.parseInt(parts.group(1)), base64.decode(parts.group(2)),
                base64.decode(parts.group(3)), base64.decode(parts.group(4)));
        if (verifier.iterations < Scram.ITERATIONS || verifier.iterations > ScramClient.ITERATIONS_MAX) {
            throw new IllegalArgumentException("it has " + Scram.ITERATIONS + ".." + ScramClient.ITERATIONS_MAX
                    + " iterations, or no client signs in");
        }
        if (verifier.storedKey.length != Scram.KEY_BYTES || verifier.serverKey.length != Scram.KEY_BYTES) {
            throw new IllegalArgumentException("its keys have " + Scram.KEY_BYTES + " bytes");
        }
        return verifier;
    }

    /** @return the text that a database keeps; it is a secret like the password */
    public String text() {
        return Scram.MECHANISM + "$" + iterations + ":" + Scram.base64(salt) + "$" + Scram.base64(storedKey) + ":"
                + Scram.base64(serverKey);
    }

    String challenge() {
        return "s=" + Scram.base64(salt) + ",i=" + iterations;
    }

    /** @return true if the client has proved that it knows the password */
    boolean accepts(byte[] proof, String conversation) {
        byte[] clientKey = Scram.xor(Scram.hmac(storedKey, conversation), proof);
        return Scram.isSame(Scram.hash(clientKey), storedKey);
    }

    byte[] signature(String conversation) {
        return Scram.hmac(serverKey, conversation);
    }

    /** Shows no key. */
    @Override
    public String toString() {
        return Scram.MECHANISM + " with " + iterations + " iterations";
    }
}
