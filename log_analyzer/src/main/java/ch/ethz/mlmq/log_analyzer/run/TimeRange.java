package ch.ethz.mlmq.log_analyzer.run;

/** A range of time, from included, to excluded [ms since 1970]. */
public record TimeRange(long fromMs, long toMs) {
    public static final TimeRange ALWAYS = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);

    public boolean contains(double ms) {
        return ms >= fromMs && ms < toMs;
    }
}
