package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Clients that have registered without a name. Each has a name that follows from its token, so it is found again by the
 * token alone, and its name does not reveal the token.
 */
public final class TemporaryClients {
    /** Time within which a client with a lost connection may resume its session. */
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int NAME_BYTES = 16;

    private TemporaryClients() {
    }

    /**
     * Gives a registration without a name the name of its token, or of a new token.
     *
     * @param granted true if the client may register without a name
     */
    public static Request.Register named(Request.Register register, boolean granted) {
        if (register.name().startsWith(Limits.TEMPORARY)) {
            // Only brokers give such names. The empty name is refused like every other wrong one.
            return new Request.Register("");
        }
        if (!register.name().isEmpty() || !granted) {
            return register;
        }
        long token = register.token() == 0 ? Tokens.ofASession() : register.token();
        return new Request.Register(nameOf(token), token);
    }

    /** @return true if this is the name of a temporary client */
    public static boolean isNameOf(String name) {
        return name.startsWith(Limits.TEMPORARY);
    }

    /** @return the token of a client that this registration creates */
    public static long newToken(Request.Register register) {
        return isNameOf(register.name()) ? register.token() : Tokens.ofASession();
    }

    /** @param clientKeep time for which other clients are kept; zero: for ever. @return time for temporary ones */
    public static Duration keep(Duration clientKeep) {
        return clientKeep.isZero() || clientKeep.compareTo(KEPT) > 0 ? KEPT : clientKeep;
    }

    private static String nameOf(long token) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(ByteBuffer.allocate(Long.BYTES).putLong(token).array());
            return Limits.TEMPORARY + HexFormat.of().formatHex(hash, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
