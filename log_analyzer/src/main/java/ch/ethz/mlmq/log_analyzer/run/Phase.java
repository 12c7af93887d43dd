package ch.ethz.mlmq.log_analyzer.run;

/** A range of time, from included, to excluded [ms since 1970]. */
public record Phase(long fromMs, long toMs) {
    public static final Phase ALWAYS = new Phase(Long.MIN_VALUE, Long.MAX_VALUE);

    public boolean contains(double ms) {
        return ms >= fromMs && ms < toMs;
    }
}
