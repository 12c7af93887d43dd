package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.run.RunEvent;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.vocabulary.MarkKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Events of a run as numbered lines over a time axis. The numbers are above the frame, at a distance from each other;
 * the legend describes the events.
 *
 * @param events in order of time
 * @param shown  range of the axis
 * @param originMs where its time is 0
 */
public record Marks(List<RunEvent> events, TimeRange shown, long originMs) {
    /** Smallest distance of two numbers, as a share of the width. */
    private static final double APART = 0.03;
    private static final int LONGEST_WORDS = 60;
    private static final double MS_PER_SECOND = 1000;

    /** @return the marks of events within the chart: all deaths, and the first of the others */
    public static Marks of(List<RunEvent> events, TimeRange shown, long originMs) {
        List<String> deaths = events.stream().filter(event -> event.name().equals(RunEvent.DIED))
                .map(Marks::firstLine).toList();
        List<RunEvent> marks = events.stream().filter(event -> event.isMark() && shown.contains(event.ms())
                && (event.name().equals(RunEvent.DIED) || !event.isDeath() || !deaths.contains(firstLine(event))))
                .toList();
        int most = MarkKinds.most();
        int room = most - (int) marks.stream().filter(RunEvent::isDeath).limit(most).count();
        List<RunEvent> chosen = new ArrayList<>();
        for (RunEvent event : marks) {
            if (event.isDeath() ? chosen.size() < most : room-- > 0) {
                chosen.add(event);
            }
        }
        return new Marks(chosen, shown, originMs);
    }

    /** @return lines and numbers, to stand before the plot command */
    public String script(TimeAxis axis) {
        StringBuilder script = new StringBuilder(events.isEmpty() ? "" : "set title offset 0,0.7\n");
        double last = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < events.size(); i++) {
            double share = (events.get(i).ms() - shown.fromMs()) / (double) Math.max(1, shown.toMs() - shown.fromMs());
            // The number moves right as far as the previous one requires, but never out of the chart.
            last = Math.min(Math.max(share, last + APART), 1 - (events.size() - 1 - i) * APART);
            script.append(String.format(Locale.ROOT, "set arrow %d from %s, graph 0 to %2$s, graph 1 nohead %s back%n",
                    i + 1, position(i, axis), pen(events.get(i))));
            script.append(String.format(Locale.ROOT, "set label %d '%1$d' at graph %.4f, graph 1 center offset 0,0.6 "
                    + "textcolor rgb %s%n", i + 1, last, colour(events.get(i))));
        }
        return script.toString();
    }

    /** @return lines of the legend beyond the usual: with marks, each series has one of its own, too */
    public int lines(int series) {
        return events.isEmpty() ? 0 : events.size() + series - 1;
    }

    /** @return entries of the legend, to stand among the pieces of the plot command */
    public List<String> legend() {
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            RunEvent event = events.get(i);
            long second = Math.round((event.ms() - originMs) / MS_PER_SECOND);
            pieces.add("NaN with lines " + pen(event) + " title " + Gnuplot.quoted(String.format(Locale.ROOT,
                    "%d  %d:%02d  %s", i + 1, second / 60, second % 60, words(event))));
        }
        return pieces;
    }

    private String position(int i, TimeAxis axis) {
        return String.format(Locale.ROOT, "first %.4f",
                (events.get(i).ms() - originMs) / MS_PER_SECOND / axis.seconds());
    }

    private static String words(RunEvent event) {
        String words = event.name().equals(RunEvent.DIED) ? event.jvm() + " died" : firstLine(event);
        return words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS - 1) + "…";
    }

    private static String firstLine(RunEvent event) {
        return event.message().lines().findFirst().orElse("").strip();
    }

    private static String colour(RunEvent event) {
        return event.isDeath() ? Gnuplot.RED : Gnuplot.GREY;
    }

    private static String pen(RunEvent event) {
        return "linecolor rgb " + colour(event) + " linewidth 1" + (event.isDeath() ? "" : " dashtype 3");
    }
}
