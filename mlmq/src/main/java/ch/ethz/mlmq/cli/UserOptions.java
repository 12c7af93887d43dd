package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.client.Credentials;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of commands that connect to a broker as a user. */
final class UserOptions {
    @Option(names = "--user", paramLabel = "NAME", description = "Sign in as this user. MLMQ_PASSWORD has its "
            + "password.")
    private String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "The first line of this file is the "
            + "password.")
    private Path file;

    /**
     * @return null without a user
     * @throws IllegalArgumentException if there is no password, or no user
     */
    Credentials credentials() {
        if (user == null && file != null) {
            throw new IllegalArgumentException("--password-file needs --user");
        }
        return user == null ? null : Credentials.of(user, file);
    }
}
