package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import java.util.Comparator;
import java.util.List;

/**
 * The groups that a picture shows: the busiest, because more lines than colours say nothing.
 *
 * @param left how many are not shown
 */
record Shown(List<Measurements.Group> groups, int left) {

    static Shown of(Measurements measured) {
        List<Measurements.Group> shown = measured.groups().stream()
                .sorted(Comparator.comparingLong(Shown::count).reversed()).limit(Gnuplot.COLOURS.size()).toList();
        return new Shown(shown, measured.groups().size() - shown.size());
    }

    /** @return those with something in the steady part */
    static Shown steady(Measurements measured) {
        Shown all = of(measured);
        return new Shown(all.groups.stream().filter(group -> group.steady().count() > 0).toList(), all.left);
    }

    /** @return the title, with a word on what is missing */
    String title(String title) {
        return left == 0 ? title : title + " (busiest " + groups.size() + " of " + (groups.size() + left) + ")";
    }

    List<String> names() {
        return groups.stream().map(Measurements.Group::name).toList();
    }

    private static long count(Measurements.Group group) {
        return group.windows().stream().mapToLong(window -> window.summary().count()).sum();
    }
}
