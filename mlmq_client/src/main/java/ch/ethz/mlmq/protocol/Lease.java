package ch.ethz.mlmq.protocol;

/**
 * Identifies one delivery of a message, to acknowledge the message, extend the lease, or release the message.
 *
 * @param message id of the message; never 0
 * @param token   of this delivery, see {@link Message#leaseToken}; never 0
 */
public record Lease(long message, long token) {
}
