package ch.ethz.mlmq.storage.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;

/**
 * A user of brokers.
 *
 * @param name     unique
 * @param verifier of the password; null if the user signs in by certificate alone
 */
public record Account(String name, ScramVerifier verifier) {
}
