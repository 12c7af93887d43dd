package ch.ethz.mlmq.scenario.pacing;

/**
 * How many clients join a load while it goes on: some more at every step, up to a last number.
 *
 * @param more    clients that join at each step; 0 for no steps
 * @param everyMs from one step to the next [ms], over 0
 * @param last    the most there will be
 */
public record ClientSteps(int more, long everyMs, int last) {
    /** Nobody joins. */
    public static final ClientSteps NONE = new ClientSteps(0, Long.MAX_VALUE, 0);

    /** Checks the bounds above. */
    public ClientSteps {
        if (more < 0 || everyMs <= 0 || last < more) {
            throw new IllegalArgumentException("steps need a number of clients, a time over 0 and a limit above both");
        }
    }

    /**
     * @param first     clients at the start
     * @param elapsedMs since the start of the load [ms]
     * @return how many clients are to take part then
     */
    public int clientsAt(int first, long elapsedMs) {
        long steps = Math.max(0, elapsedMs) / everyMs;
        long joined = more == 0 ? 0 : Math.min(steps, last) * more;
        return (int) Math.max(first, Math.min(last, first + joined));
    }

    /** @return the most clients there will be where {@code first} are there at the start */
    public int most(int first) {
        return Math.max(first, last);
    }
}
