package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.table.Figures;

/** The unit of a time axis whose data are in seconds. @param seconds s in one of it */
public record TimeAxis(String name, int seconds) {
    /** Shortest length of an axis. */
    private static final double SHORTEST = 0.001;
    private static final double MOST_SECONDS = 300;
    private static final double MOST_MINUTES = 4 * 3600;

    /** @return the most readable unit for an axis of this length */
    public static TimeAxis fitting(double lengthSeconds) {
        if (lengthSeconds <= MOST_SECONDS) {
            return new TimeAxis("s", 1);
        }
        return lengthSeconds <= MOST_MINUTES ? new TimeAxis("min", 60) : new TimeAxis("h", 3600);
    }

    /** @return the first column in this unit, as gnuplot computes it */
    public String column() {
        return "($1/" + seconds + ".)";
    }

    /** @return the command that sets the ends of the axis */
    public String range(double fromSeconds, double toSeconds) {
        double from = fromSeconds / seconds;
        return "set xrange [" + Figures.plain(from) + ":"
                + Figures.plain(Math.max(from + SHORTEST, toSeconds / seconds)) + "]\n";
    }

    /** @return what stands under the axis */
    public String label() {
        return "time since the start [" + name + "]";
    }
}
