package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.scram.ScramClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A user and its password, which is never sent. Any number of clients may share them: they then compute the costly part
 * of the proof once.
 */
public final class Credentials {
    /** The environment variable that may hold a password. */
    public static final String PASSWORD_VARIABLE = "MLMQ_PASSWORD";

    private final String user;
    private final String password;
    private volatile Salted last;

    private record Salted(ScramClient.Work work, byte[] password) {
        boolean isOf(ScramClient.Work other) {
            return work.iterations() == other.iterations() && Arrays.equals(work.salt(), other.salt());
        }
    }

    private Credentials(String user, String password) {
        this.user = user;
        this.password = password;
    }

    /** @throws IllegalArgumentException if one of them is empty */
    public static Credentials of(String user, String password) {
        if (user.isEmpty() || password.isEmpty()) {
            throw new IllegalArgumentException("a user has a name and a password, and one of them is empty");
        }
        return new Credentials(user, password);
    }

    /**
     * @param file whose first line is the password; null for the environment's {@value #PASSWORD_VARIABLE}
     * @throws IllegalArgumentException if there is no password
     */
    public static Credentials of(String user, Path file) {
        if (file == null) {
            String variable = System.getenv(PASSWORD_VARIABLE);
            if (variable == null || variable.isEmpty()) {
                throw new IllegalArgumentException("the password of user " + user + " is missing: put it into the "
                        + "environment as " + PASSWORD_VARIABLE + ", or name a file");
            }
            return of(user, variable);
        }
        try {
            return of(user, Files.readString(file).lines().findFirst().orElse(""));
        } catch (IOException e) {
            throw new IllegalArgumentException("the password file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    String user() {
        return user;
    }

    /** Takes milliseconds, unless it is the same work as before. */
    byte[] salted(ScramClient.Work work) {
        Salted known = last;
        if (known == null || !known.isOf(work)) {
            known = new Salted(work, work.of(password));
            last = known;
        }
        return known.password;
    }

    /** @return the user alone */
    @Override
    public String toString() {
        return "user " + user;
    }
}
