package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;

/**
 * Counts of one file.
 *
 * @param lines              all lines, remarks included
 * @param malformed          lines that are neither data nor a remark
 * @param firstMalformedLine number of the first of them, from 1; 0 for none
 * @param firstMalformed     its text, shortened
 * @param dropped            records that the writer reports as dropped
 * @param truncated          true if its last line was cut off, as when a JVM was killed
 */
public record FileCount(PerformanceFile log, long lines, long malformed, long firstMalformedLine,
        String firstMalformed, long dropped, boolean truncated) {
}
