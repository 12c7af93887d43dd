package ch.ethz.mlmq.scenario.pacing;

/**
 * How many clients of a JVM take part over time: a first number, then some more at every step up to a last number.
 *
 * @param first   clients from the start, at least 0
 * @param more    clients that join at each step; 0 for no steps
 * @param everyMs from one step to the next [ms], over 0
 * @param last    the most there will be, at least {@code first}
 */
public record ClientSteps(int first, int more, long everyMs, int last) {

    /** Checks the bounds above. */
    public ClientSteps {
        if (first < 0 || more < 0 || everyMs <= 0 || last < first) {
            throw new IllegalArgumentException("steps need a positive number, a positive time and a limit of at least "
                    + "the clients there are already (" + first + ")");
        }
    }

    /** @return a load whose clients are there all the time */
    public static ClientSteps none(int clients) {
        return new ClientSteps(clients, 0, Long.MAX_VALUE, clients);
    }

    /**
     * @param elapsedMs since the start of the load [ms]
     * @return how many clients are to take part then
     */
    public int clientsAt(long elapsedMs) {
        long steps = Math.max(0, elapsedMs) / everyMs;
        return steps >= last - first && more > 0 ? last : (int) Math.min(last, first + steps * more);
    }
}
