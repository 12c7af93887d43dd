package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.config.ConfigurationException;

/**
 * How far this machine's clock is ahead of a common one, so that a message can be timed on another machine than that of
 * its sender. Whoever starts the JVM tells it, because a property of the JVM does not disturb other versions.
 */
public final class ClockOffset {
    /** The property of the JVM that tells it [ms]. */
    public static final String PROPERTY = "mlmq.clock.offset";

    private static final double FARTHEST_MS = 1e12;
    private static final double MICROS_PER_MILLI = 1_000;

    private ClockOffset() {
    }

    /**
     * @return the offset that the JVM was told [ms]; null if it was told none
     * @throws ConfigurationException if it is not a number of milliseconds
     */
    public static Double toldOrNull() {
        String text = System.getProperty(PROPERTY, "");
        return text.isEmpty() ? null : (Double) parse(text);
    }

    /** @return the offset that the JVM was told; 0 if it was told none [us] */
    static long micros() {
        Double told = toldOrNull();
        return told == null ? 0 : Math.round(told * MICROS_PER_MILLI);
    }

    private static double parse(String text) {
        try {
            double millis = Double.parseDouble(text);
            if (Math.abs(millis) <= FARTHEST_MS) {
                return millis;
            }
        } catch (NumberFormatException e) {
            throw new ConfigurationException(complaint(text), e);
        }
        throw new ConfigurationException(complaint(text));
    }

    private static String complaint(String text) {
        return "-D" + PROPERTY + "=" + text + " must be the milliseconds by which this clock is ahead, such as 12.5";
    }
}
