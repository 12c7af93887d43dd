package ch.ethz.mlmq.log_analyzer.model.waiting;

import java.util.OptionalDouble;

/**
 * The parameters of a discrete time analysis, as the study names them (section 5.1.3).
 *
 * @param units     n_u: units of time in a mean inter-arrival time
 * @param converged ε_c: the iteration ends when no share changes by as much
 * @param atBound   ε_d: share of arrivals that may leave the bound D_max of work behind
 * @param tail      ε_f: share of inter-arrival and service times that may be cut to the longest time of the others
 * @param bound     D_max [s]; empty: as short as ε_d allows
 */
public record Discretization(int units, double converged, double atBound, double tail, OptionalDouble bound) {
    /** The values of the study. */
    public static final Discretization OF_STUDY = new Discretization(100, 1e-8, 1e-10, 1e-4, OptionalDouble.empty());

    /** @return the same with this bound [s] */
    public Discretization boundedBy(double seconds) {
        return new Discretization(units, converged, atBound, tail, OptionalDouble.of(seconds));
    }
}
