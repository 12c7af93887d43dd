package ch.ethz.mlmq.log_analyzer.plot;

/** A unit for readable durations. @param micros us in one of it */
public record DurationUnit(String name, int micros) {
    private static final int MILLISECOND = 1_000;
    private static final int SECOND = 1_000_000;

    /** @param typical a duration that should become a number between about 1 and 1,000 [us] */
    public static DurationUnit fitting(double typical) {
        if (typical < MILLISECOND) {
            return new DurationUnit("µs", 1);
        }
        return typical < SECOND ? new DurationUnit("ms", MILLISECOND) : new DurationUnit("s", SECOND);
    }

    /** @return the column in this unit, as gnuplot computes it */
    public String of(int column) {
        return micros == 1 ? "($" + column + ")" : "($" + column + "/" + micros + ".)";
    }
}
