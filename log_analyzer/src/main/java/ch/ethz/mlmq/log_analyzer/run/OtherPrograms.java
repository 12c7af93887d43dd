package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.Lines;
import ch.ethz.mlmq.log_analyzer.source.Place;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processor time that programs outside of the run took on a machine, from its file {@code programs.csv}.
 *
 * @param machine its name
 * @param shares  of the processors over a few seconds each, in order of time
 */
public record OtherPrograms(String machine, List<Share> shares) {
    /** The name that stands for all programs together, also for those that lived too briefly to be seen. */
    public static final String ALL = "*";
    private static final int LONGEST_LINE = 100;
    private static final int MOST = 100_000;
    private static final Pattern LINE = Pattern.compile("(\\d{13}),(\\*|[\\w.:+-]{1,15}),(0\\.\\d{1,4}|1\\.0{1,4})");

    /**
     * The share of one program.
     *
     * @param ms      end of the time [ms since 1970]
     * @param program its name, or {@link #ALL}
     * @param share   of the processors, 0..1
     */
    public record Share(long ms, String program, double share) {
    }

    /** @param complaints gets the errors of the file */
    static OtherPrograms in(StoredFile file, Consumer<String> complaints) throws IOException {
        List<Share> shares = new ArrayList<>();
        Lines.read(file, LONGEST_LINE, line -> {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                shares.add(new Share(Long.parseLong(matcher.group(1)), matcher.group(2),
                        Double.parseDouble(matcher.group(3))));
            }
            return shares.size() < MOST;
        }).ifPresent(complaints);
        return new OtherPrograms(Place.ofMachine(file.name()).machine(), List.copyOf(shares));
    }

    /** @return mean share of each program between two times [ms since 1970]; empty if nothing was measured */
    public Map<String, Double> between(long fromMs, long toMs) {
        List<Share> within = shares.stream().filter(each -> each.ms() >= fromMs && each.ms() < toMs).toList();
        long times = within.stream().filter(each -> each.program().equals(ALL)).count();
        Map<String, Double> means = new TreeMap<>();
        if (times > 0) {
            within.forEach(each -> means.merge(each.program(), each.share() / times, Double::sum));
        }
        return means;
    }
}
