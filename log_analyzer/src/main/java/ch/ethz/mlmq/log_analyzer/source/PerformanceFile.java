package ch.ethz.mlmq.log_analyzer.source;

import java.util.OptionalLong;

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
}
