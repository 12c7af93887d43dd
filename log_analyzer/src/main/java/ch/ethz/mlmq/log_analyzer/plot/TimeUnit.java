package ch.ethz.mlmq.log_analyzer.plot;

/** The unit in which durations make readable numbers. @param micros us in one of it */
record TimeUnit(String name, int micros) {
    private static final int MILLISECOND = 1000;
    private static final int SECOND = 1_000_000;

    /** @param typical a duration that should become a number between about 1 and 1,000 [us] */
    static TimeUnit fitting(double typical) {
        if (typical < MILLISECOND) {
            return new TimeUnit("µs", 1);
        }
        return typical < SECOND ? new TimeUnit("ms", MILLISECOND) : new TimeUnit("s", SECOND);
    }
}
