package ch.ethz.mlmq.log_analyzer.statistics;

import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * A share among a number of observations.
 *
 * @param share 0..1
 * @param count equivalent number of independent observations
 */
public record Proportion(double share, double count) {

    /** @return Wilson's score interval, within 0..1; unknown without observations */
    public Interval interval(double confidence) {
        if (!(count > 0)) {
            return Interval.UNKNOWN;
        }
        double z = new NormalDistribution().inverseCumulativeProbability(1 - (1 - confidence) / 2);
        double scale = 1 + z * z / count;
        double middle = (share + z * z / (2 * count)) / scale;
        double half = z / scale * Math.sqrt(share * (1 - share) / count + z * z / (4 * count * count));
        return new Interval(Math.max(0, middle - half), Math.min(1, middle + half));
    }

    /** @return interval of this share minus the other: Newcombe's, made of the two intervals of Wilson */
    public Interval lessThat(Proportion other, double confidence) {
        Interval mine = interval(confidence);
        Interval theirs = other.interval(confidence);
        double difference = share - other.share;
        return new Interval(difference - Math.hypot(share - mine.low(), theirs.high() - other.share),
                difference + Math.hypot(mine.high() - share, other.share - theirs.low()));
    }
}
