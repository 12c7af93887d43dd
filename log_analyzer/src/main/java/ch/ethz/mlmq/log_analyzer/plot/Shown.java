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

    /** @return the title, with what all names begin with, and a word on what is missing */
    String title(String title) {
        String full = prefix().isEmpty() ? title : title + " · " + prefix();
        return left == 0 ? full : full + " (busiest " + groups.size() + " of " + (groups.size() + left) + ")";
    }

    /** @return names for a legend, without what all begin with */
    List<String> names() {
        int cut = prefix().length();
        return groups.stream().map(group -> group.name().substring(cut)).toList();
    }

    /** What all names have in common up to a separator, such as {@code CSndReq#OK#}; nothing for a single name. */
    private String prefix() {
        String prefix = groups.size() < 2 ? "" : groups.get(0).name();
        for (Measurements.Group group : groups) {
            while (!group.name().startsWith(prefix)) {
                prefix = prefix.substring(0, prefix.length() - 1);
            }
        }
        return prefix.substring(0, prefix.lastIndexOf('#') + 1);
    }

    static long count(Measurements.Group group) {
        return group.windows().stream().mapToLong(window -> window.summary().count()).sum();
    }
}
