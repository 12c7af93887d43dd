package ch.ethz.mlmq.scenario;

/**
 * What a client found when it came: ids that the broker handed out. Those its scenario does not need are 0 or empty.
 *
 * @param id        of the client itself
 * @param ownQueue  the client's personal queue
 * @param queues    the public queues of the run
 * @param peers     the other clients of the same scenario, in all JVMs
 * @param partner   the client that this one works with
 * @param pairQueue a queue for this client and its partner alone
 */
public record Surroundings(int id, int ownQueue, int[] queues, int[] peers, int partner, int pairQueue) {
    /** A client that needs nothing. */
    public static final Surroundings NONE = new Surroundings(0, 0, new int[0], new int[0], 0, 0);
}
