package ch.ethz.mlmq.scenario.pacing;

/**
 * Steps in which clients join a running load, up to a last number.
 *
 * @param more    clients that join at each step; 0 for no steps
 * @param everyMs from one step to the next [ms], over 0
 * @param last    largest number of clients
 */
public record ClientSteps(int more, long everyMs, int last) {
    /** Steps without joining clients. */
    public static final ClientSteps NONE = new ClientSteps(0, Long.MAX_VALUE, 0);

    /** Checks the ranges. */
    public ClientSteps {
        if (more < 0 || everyMs <= 0 || last < more) {
            throw new IllegalArgumentException("steps need a number of clients, a time over 0 and a limit above both");
        }
    }

    /**
     * @param first     clients at the start
     * @param elapsedMs since the start of the load [ms]
     * @return number of clients that should take part then
     */
    public int clientsAt(int first, long elapsedMs) {
        long steps = Math.max(0, elapsedMs) / everyMs;
        long joined = more == 0 ? 0 : Math.min(steps, last) * more;
        return (int) Math.max(first, Math.min(last, first + joined));
    }

    /** @return largest number of clients, with {@code first} at the start */
    public int most(int first) {
        return Math.max(first, last);
    }
}
