package ch.ethz.mlmq.scenario.pacing;

import java.util.List;
import java.util.Optional;

/**
 * The parts of the measuring phase, one after the other: what a client does in each of them. No parts mean that nothing
 * changes.
 */
public record LoadPlan(List<Part> parts) {
    /** A load that stays as it is. */
    public static final LoadPlan NONE = new LoadPlan(List.of());

    /**
     * A part of the load.
     *
     * @param name  for people, unique in the plan
     * @param nanos its length [ns], over 0; the most if it is {@code until}
     * @param until true if it may be ended earlier by command
     * @param rate  from its begin on; empty: the rate before stays
     * @param silent true if the rate from its begin on is 0, so that no request is planned
     * @param paused true if no request starts in this part
     */
    public record Part(String name, long nanos, boolean until, Optional<RatePlan> rate, boolean silent,
            boolean paused) {
        /** Checks the length. */
        public Part {
            if (nanos <= 0) {
                throw new IllegalArgumentException("a part of the load must take some time");
            }
        }

        /** @return whether it changes the rate */
        public boolean hasRate() {
            return silent || rate.isPresent();
        }
    }

    /** Copies the list. */
    public LoadPlan {
        parts = List.copyOf(parts);
    }

    /** @return the longest time that the parts from this number on can take [ns] */
    public long nanosFrom(int number) {
        return parts.subList(number, parts.size()).stream().mapToLong(Part::nanos).sum();
    }

    /** @return whether it changes a rate */
    public boolean hasRates() {
        return parts.stream().anyMatch(Part::hasRate);
    }
}
