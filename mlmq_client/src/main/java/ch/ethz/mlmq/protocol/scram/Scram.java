package ch.ethz.mlmq.protocol.scram;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** What both sides of SCRAM-SHA-256 (RFC 5802, RFC 7677) compute. */
public final class Scram {
    /** The mechanism without channel binding. */
    public static final String MECHANISM = "SCRAM-SHA-256";
    /** The mechanism that binds the proof to the certificate of the TLS connection. */
    public static final String MECHANISM_PLUS = "SCRAM-SHA-256-PLUS";
    /** The kind of channel binding: a hash of the server's certificate (RFC 5929). */
    public static final String BINDING = "tls-server-end-point";
    /** Longest message that either side accepts [bytes]. */
    public static final int MESSAGE_MAX = 2_048;
    /** Iterations of new passwords, as many as PostgreSQL makes. */
    public static final int ITERATIONS = 4_096;
    static final int KEY_BYTES = 32;
    static final int SALT_BYTES = 16;
    private static final int NONCE_BYTES = 18;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Scram() {
    }

    static String nonce() {
        return base64(random(NONCE_BYTES));
    }

    static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return random;
    }

    /** @return HMAC-SHA-256 of the text */
    public static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] hash(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes milliseconds: an iteration is an HMAC. */
    static byte[] saltedPassword(String password, byte[] salt, int iterations) {
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, KEY_BYTES * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } finally {
            spec.clearPassword();
        }
    }

    static byte[] clientKey(byte[] saltedPassword) {
        return hmac(saltedPassword, "Client Key");
    }

    static byte[] serverKey(byte[] saltedPassword) {
        return hmac(saltedPassword, "Server Key");
    }

    static byte[] xor(byte[] one, byte[] other) {
        byte[] both = new byte[one.length];
        for (int i = 0; i < both.length; i++) {
            both[i] = (byte) (one[i] ^ other[i]);
        }
        return both;
    }

    /** Takes the same time wherever the two differ. */
    static boolean isSame(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static byte[] bytes(String base64) throws ScramException {
        try {
            return Base64.getDecoder().decode(base64.getBytes(US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new ScramException("a part is not in base 64");
        }
    }

    static byte[] bytesOf(String message) {
        return message.getBytes(UTF_8);
    }

    static String text(byte[] message) throws ScramException {
        if (message.length > MESSAGE_MAX) {
            throw new ScramException("a message has more than " + MESSAGE_MAX + " bytes");
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(message)).toString();
            if (text.indexOf(0) >= 0) {
                throw new ScramException("a message has the character NUL");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw new ScramException("a message is not in UTF-8");
        }
    }

    /** @return the value of a part such as {@code r=…} */
    static String value(String part, char name) throws ScramException {
        if (part.length() < 2 || part.charAt(0) != name || part.charAt(1) != '=') {
            throw new ScramException("a message lacks the part " + name + "=");
        }
        return part.substring(2);
    }

    /** @return the binding data of the gs2 header, in base 64. @param binding null for none */
    static String bound(String header, byte[] binding) {
        byte[] begin = bytesOf(header);
        ByteBuffer all = ByteBuffer.allocate(begin.length + (binding == null ? 0 : binding.length)).put(begin);
        return base64((binding == null ? all : all.put(binding)).array());
    }
}
