package ch.ethz.mlmq.storage.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;

/**
 * A user of brokers.
 *
 * @param name     unique
 * @param since    when it was added [us since 1970 UTC]; one that is added again later is another user
 * @param verifier of the password; null if the user signs in by certificate alone
 */
public record Account(String name, long since, ScramVerifier verifier) {
    /** @return the text of its verifier; empty if there is none */
    String password() {
        return verifier == null ? "" : verifier.text();
    }
}
