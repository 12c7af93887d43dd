package ch.ethz.mlmq.log_analyzer.source;

import java.util.OptionalLong;

/**
 * A performance log with the facts of its beginning.
 *
 * @param file         its file
 * @param place        its writer
 * @param header       its first line if that is not yet data, else empty
 * @param unit         microseconds of one unit of duration: 1, or 1,000 if the header names no unit
 * @param sample       one request in so many was recorded: 1 if the header does not tell, 0 if none was to be
 * @param firstStartMs begin of the first record [ms since 1970]; empty if the file has no data
 */
public record PerformanceFile(StoredFile file, Place place, String header, int unit, int sample,
        OptionalLong firstStartMs) {

    /** @return number of requests that each record stands for */
    public int weight() {
        return Math.max(1, sample);
    }
}
