package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import java.util.Comparator;
import java.util.List;

/**
 * The groups in a chart: only the busiest, because more lines than colours are unreadable.
 *
 * @param left number of groups that are not shown
 */
public record BusiestGroups(List<Measurements.Group> groups, int left) {

    /** @return the busiest groups, one for each colour */
    public static BusiestGroups of(Measurements measured) {
        List<Measurements.Group> shown = measured.groups().stream()
                .sorted(Comparator.comparingLong(BusiestGroups::count).reversed())
                .limit(Gnuplot.COLOURS.size()).toList();
        return new BusiestGroups(shown, measured.groups().size() - shown.size());
    }

    /** @return those of them with records in the measurement interval */
    public static BusiestGroups steady(Measurements measured) {
        BusiestGroups all = of(measured);
        return new BusiestGroups(all.groups.stream().filter(group -> group.steady().count() > 0).toList(), all.left);
    }

    /** @return all groups with records in the measurement interval, however many */
    public static BusiestGroups all(Measurements measured) {
        return new BusiestGroups(measured.groups().stream().filter(group -> group.steady().count() > 0).toList(), 0);
    }

    /** @return the title, with the common prefix of all names, and a remark on missing groups */
    public String title(String title) {
        String full = prefix().isEmpty() ? title : title + " · " + prefix();
        return left == 0 ? full : full + " (busiest " + groups.size() + " of " + (groups.size() + left) + ")";
    }

    /** @return names for a legend, without their common prefix */
    public List<String> names() {
        int cut = prefix().length();
        return groups.stream().map(group -> group.name().substring(cut)).toList();
    }

    /** @return the median of the group that has the largest one in the measurement interval [us] */
    public double largestMedian() {
        return groups.stream().mapToInt(group -> group.steady().percentile(50)).max().orElse(1);
    }

    /**
     * @return the common prefix of all names up to a separator, such as {@code CSndReq#OK#}; nothing for a single name
     */
    private String prefix() {
        String prefix = groups.size() < 2 ? "" : groups.get(0).name();
        for (Measurements.Group group : groups) {
            while (!group.name().startsWith(prefix)) {
                prefix = prefix.substring(0, prefix.length() - 1);
            }
        }
        return prefix.substring(0, prefix.lastIndexOf('#') + 1);
    }

    /** @return number of records in all windows */
    public static long count(Measurements.Group group) {
        return group.windows().stream().mapToLong(window -> window.summary().count()).sum();
    }
}
