package ch.ethz.mlmq.protocol;

/**
 * Names one delivery of a message under a lease, to acknowledge it, to extend the lease, or to release the message.
 *
 * @param message id of the message; never 0
 * @param token   of this delivery, see {@link Message#leaseToken}; never 0
 */
public record Lease(long message, long token) {
}
