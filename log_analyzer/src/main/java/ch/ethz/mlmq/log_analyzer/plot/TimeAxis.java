package ch.ethz.mlmq.log_analyzer.plot;

/** The unit of a time axis. @param seconds s in one of it */
record TimeAxis(String name, int seconds) {
    private static final int LONGEST_IN_SECONDS_MS = 300_000;
    private static final int LONGEST_IN_MINUTES_MS = 4 * 3_600_000;

    static TimeAxis fitting(long lengthMs) {
        if (lengthMs <= LONGEST_IN_SECONDS_MS) {
            return new TimeAxis("s", 1);
        }
        return lengthMs <= LONGEST_IN_MINUTES_MS ? new TimeAxis("min", 60) : new TimeAxis("h", 3600);
    }
}
