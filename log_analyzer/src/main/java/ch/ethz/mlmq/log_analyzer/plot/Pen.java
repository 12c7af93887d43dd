package ch.ethz.mlmq.log_analyzer.plot;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The style of a series. Service times are dashed in the colour of their response times. If there are none, every other
 * series is dashed, so that lines differ in print too.
 *
 * @param colour variable of the script
 */
public record Pen(String colour, boolean dashed) {
    public static final Pen OF_CONTEXT = new Pen(Gnuplot.GREY, false);
    private static final String SERVICE = ":service";
    private static final int FEW_POINTS = 60;

    /** @return the pen of the n-th of several series, from 0 */
    public static Pen of(int series) {
        return new Pen(Gnuplot.colour(series), series % 2 == 1);
    }

    /** @return one for each of these series */
    public static List<Pen> of(List<String> names) {
        Set<String> responses = new LinkedHashSet<>();
        names.forEach(name -> responses.add(responseOf(name)));
        List<String> order = List.copyOf(responses);
        List<Pen> pens = new ArrayList<>();
        for (String name : names) {
            int series = order.indexOf(responseOf(name));
            pens.add(order.size() == names.size() ? of(series) : new Pen(Gnuplot.colour(series), isService(name)));
        }
        return pens;
    }

    /** @return whether a series is of service times, not of response times */
    public static boolean isService(String name) {
        return name.endsWith(SERVICE);
    }

    /** @return options of all lines of this pen, for use behind {@code with lines} */
    public String options() {
        return "linecolor rgb %s linewidth 1.8%s".formatted(colour, dashed ? " dashtype 2" : "");
    }

    /** @return a piece of the plot command: a line, with points where there are few */
    public String line(String x, String y, int points, String name) {
        boolean few = points <= FEW_POINTS;
        return "data skip 1 using %s:%s with %s %s%s title %s".formatted(x, y, few ? "linespoints" : "lines",
                options(), few ? " pointtype 7 pointsize 0.35" : "", Gnuplot.quoted(name));
    }

    private static String responseOf(String name) {
        return isService(name) ? name.substring(0, name.length() - SERVICE.length()) : name;
    }
}
