package ch.ethz.mlmq.scenario;

/**
 * Ids that the broker assigned for a client and its surroundings. Those that its scenario does not need are 0 or empty.
 *
 * @param id        of the client itself
 * @param ownQueue  the client's personal queue
 * @param queues    the public queues of the run
 * @param peers     the other clients of the same scenario, in all JVMs
 * @param partner   the partner of this client
 * @param pairQueue a queue for this client and its partner only
 * @param subscribed the topics of the run, and the client's subscriptions
 */
public record Surroundings(int id, int ownQueue, int[] queues, int[] peers, int partner, int pairQueue,
        Subscribed subscribed) {
    /** The surroundings of a client that needs nothing. */
    public static final Surroundings NONE = new Surroundings(0, 0, new int[0], new int[0], 0, 0,
            Subscribed.NONE);
}
