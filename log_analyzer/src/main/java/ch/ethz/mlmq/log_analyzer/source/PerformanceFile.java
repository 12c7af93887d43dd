package ch.ethz.mlmq.log_analyzer.source;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A performance log and what its beginning tells.
 *
 * @param file         where it is
 * @param place        who wrote it
 * @param header       its first line where that is not yet data, else empty
 * @param unit         microseconds one unit of duration stands for: 1, or 1,000 where the header names no unit
 * @param firstStartMs when the first measured thing began [ms since 1970]; empty where the file has no data
 */
public record PerformanceFile(StoredFile file, Place place, String header, int unit, OptionalLong firstStartMs) {
    private static final Pattern SAMPLE = Pattern.compile("Sample\\[1/(\\d+)\\]");

    /** @return every n-th request was recorded, 1 where the header does not tell; 0 where none was to be */
    public int sample() {
        Matcher told = SAMPLE.matcher(header);
        return told.find() ? Integer.parseInt(told.group(1)) : 1;
    }
}
