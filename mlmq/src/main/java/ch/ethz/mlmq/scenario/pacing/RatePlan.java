package ch.ethz.mlmq.scenario.pacing;

import java.util.ArrayList;
import java.util.List;

/** The rate of an open load over the time since its start. */
public sealed interface RatePlan permits RatePlan.Constant, RatePlan.Ramp, RatePlan.Phases {

    /**
     * @param seconds since the start of the load [s], at least 0
     * @return the rate at that time [1/s]
     */
    double rateAt(double seconds);

    /**
     * @param seconds since the start of the load [s], at least 0
     * @return number of arrivals planned by that time
     */
    double arrivalsBy(double seconds);

    /**
     * @param arrivals number of planned arrivals, at least 0
     * @return when the plan reaches it [s since the start of the load]
     */
    double secondsUntil(double arrivals);

    /**
     * @param seconds since the start of the load [s], at least 0
     * @param factor  by which the rate is multiplied, over 0
     * @return the rest of this plan, counted from that time
     */
    RatePlan rest(double seconds, double factor);

    /** A constant rate. */
    record Constant(double rate) implements RatePlan {
        /** @param rate [1/s], over 0 */
        public Constant {
            requirePositive(rate);
        }

        @Override
        public double rateAt(double seconds) {
            return rate;
        }

        @Override
        public double arrivalsBy(double seconds) {
            return rate * seconds;
        }

        @Override
        public double secondsUntil(double arrivals) {
            return arrivals / rate;
        }

        @Override
        public RatePlan rest(double seconds, double factor) {
            return new Constant(rate * factor);
        }
    }

    /** A rate that changes linearly from one value to another, and then stays there. */
    record Ramp(double from, double to, double overSeconds) implements RatePlan {
        /**
         * @param from        the first rate [1/s], over 0
         * @param to          the last rate [1/s], over 0
         * @param overSeconds length of the change [s], over 0
         */
        public Ramp {
            requirePositive(from);
            requirePositive(to);
            requirePositive(overSeconds);
        }

        @Override
        public double rateAt(double seconds) {
            return seconds >= overSeconds ? to : from + (to - from) * seconds / overSeconds;
        }

        @Override
        public double arrivalsBy(double seconds) {
            double ramping = Math.min(seconds, overSeconds);
            return (from + rateAt(ramping)) / 2 * ramping + to * (seconds - ramping);
        }

        @Override
        public double secondsUntil(double arrivals) {
            double whileRamping = (from + to) / 2 * overSeconds;
            if (arrivals >= whileRamping) {
                return overSeconds + (arrivals - whileRamping) / to;
            }
            // The equation from*t + slope/2*t^2 = arrivals is solved in the form that also holds for a slope of
            // (nearly) 0.
            double slope = (to - from) / overSeconds;
            return 2 * arrivals / (from + Math.sqrt(from * from + 2 * slope * arrivals));
        }

        @Override
        public RatePlan rest(double seconds, double factor) {
            return seconds >= overSeconds ? new Constant(to * factor)
                    : new Ramp(rateAt(seconds) * factor, to * factor, overSeconds - seconds);
        }
    }

    /** Constant rates, one after the other. The last one stays. */
    record Phases(List<Part> parts) implements RatePlan {

        /**
         * A constant rate for some time.
         *
         * @param rate    [1/s], at least 0
         * @param seconds length [s], over 0; infinite for the last part
         */
        public record Part(double rate, double seconds) {
            /** Checks the range of both. */
            public Part {
                if (!(rate >= 0) || Double.isInfinite(rate) || !(seconds > 0)) {
                    throw new IllegalArgumentException("a phase needs a rate of at least 0 and a time over 0, not "
                            + rate + "/s for " + seconds + " s");
                }
            }
        }

        /** Checks that requests go on after each phase without any. */
        public Phases {
            parts = List.copyOf(parts);
            Part last = parts.get(parts.size() - 1);
            if (last.rate == 0 || !Double.isInfinite(last.seconds)) {
                throw new IllegalArgumentException("the last phase of a rate stays, and so needs a rate over 0");
            }
        }

        @Override
        public double rateAt(double seconds) {
            double end = 0;
            for (Part part : parts) {
                end += part.seconds;
                if (seconds < end) {
                    return part.rate;
                }
            }
            return parts.get(parts.size() - 1).rate;
        }

        @Override
        public double arrivalsBy(double seconds) {
            double arrivals = 0;
            double begin = 0;
            for (Part part : parts) {
                arrivals += part.rate * Math.max(0, Math.min(seconds - begin, part.seconds));
                begin += part.seconds;
            }
            return arrivals;
        }

        @Override
        public double secondsUntil(double arrivals) {
            double left = arrivals;
            double begin = 0;
            for (Part part : parts) {
                double planned = part.rate * part.seconds;
                if (left < planned) {
                    return begin + left / part.rate;
                }
                left -= planned;
                begin += part.seconds;
            }
            return begin; // not reached: the last part has no end
        }

        @Override
        public RatePlan rest(double seconds, double factor) {
            List<Part> rest = new ArrayList<>();
            double begin = 0;
            for (Part part : parts) {
                double left = part.seconds - Math.max(0, seconds - begin);
                if (left > 0) {
                    rest.add(new Part(part.rate * factor, left));
                }
                begin += part.seconds;
            }
            return new Phases(rest);
        }
    }

    private static void requirePositive(double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("a rate and the time it takes to reach it must be over 0, not " + value);
        }
    }
}
