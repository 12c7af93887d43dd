package ch.ethz.mlmq.log_analyzer.source;

import java.util.OptionalLong;

/**
 * A performance log and what its beginning tells.
 *
 * @param file         where it is
 * @param place        who wrote it
 * @param header       its first line where that is not yet data, else empty
 * @param unit         microseconds one unit of duration stands for: 1, or 1,000 where the header names no unit
 * @param sample       one request in so many was recorded: 1 where the header does not tell, 0 where none was to be
 * @param firstStartMs when the first measured thing began [ms since 1970]; empty where the file has no data
 */
public record PerformanceFile(StoredFile file, Place place, String header, int unit, int sample,
        OptionalLong firstStartMs) {

    /** @return how many requests each record stands for */
    public int weight() {
        return Math.max(1, sample);
    }
}
