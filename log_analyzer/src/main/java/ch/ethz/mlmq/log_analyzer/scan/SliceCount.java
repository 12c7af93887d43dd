package ch.ethz.mlmq.log_analyzer.scan;

/**
 * Counts of a part of a file.
 *
 * @param lines              all lines
 * @param malformed          lines that are neither data nor a remark
 * @param firstMalformedLine number of the first of them in this part, from 1; 0 for none
 * @param firstMalformed     its text, shortened
 * @param dropped            records that the writer reports as dropped
 * @param truncated          true if the part ends in a line that was cut off
 */
record SliceCount(long lines, long malformed, long firstMalformedLine, String firstMalformed, long dropped,
        boolean truncated) {
    static final SliceCount NONE = new SliceCount(0, 0, 0, "", 0, false);

    /** @return the count of this part and the one that follows it */
    SliceCount then(SliceCount next) {
        boolean isHere = malformed > 0;
        long ofNext = next.malformed > 0 ? lines + next.firstMalformedLine : 0;
        return new SliceCount(lines + next.lines, malformed + next.malformed, isHere ? firstMalformedLine : ofNext,
                isHere ? firstMalformed : next.firstMalformed, dropped + next.dropped, truncated || next.truncated);
    }
}
