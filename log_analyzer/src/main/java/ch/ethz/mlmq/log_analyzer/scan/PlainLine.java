package ch.ethz.mlmq.log_analyzer.scan;

import java.nio.charset.StandardCharsets;

/**
 * A line read byte by byte, for rare forms.
 *
 * @param duration   us; the number of records, for a line about dropped ones
 * @param ms         when it ended [ms since 1970]
 * @param actionFrom index of the action's first byte
 * @param actionTo   index behind its last byte
 */
record PlainLine(Kind kind, int duration, long ms, int actionFrom, int actionTo) {
    enum Kind { DATA, DROPPED, REMARK, MALFORMED }

    private static final String DROPPED = "# dropped ";
    private static final String HEADER = "MLMQ performance log";
    private static final int MAX_DIGITS = 15;
    private static final PlainLine REMARK = new PlainLine(Kind.REMARK, 0, 0, 0, 0);
    private static final PlainLine MALFORMED = new PlainLine(Kind.MALFORMED, 0, 0, 0, 0);

    /** @param headerMayBeHere true if a line that is not data may be a header */
    static PlainLine of(byte[] text, int from, int newline, int unit, boolean headerMayBeHere) {
        int to = newline > from && text[newline - 1] == '\r' ? newline - 1 : newline;
        PlainLine data = data(text, from, to, unit);
        if (data.kind == Kind.DATA) {
            return data;
        }
        String line = new String(text, from, to - from, StandardCharsets.UTF_8);
        if (line.startsWith(DROPPED)) {
            long count = number(text, from + DROPPED.length(), to);
            return count < 0 ? REMARK : new PlainLine(Kind.DROPPED, (int) Math.min(count, Integer.MAX_VALUE), 0, 0, 0);
        }
        boolean remark = headerMayBeHere || line.isBlank() || line.startsWith("#") || line.startsWith(HEADER);
        return remark ? REMARK : MALFORMED;
    }

    /** @return the value of the item {@code S[...]} of a context [us], or -1 */
    static int serviceTime(byte[] text, int from, int to, int unit) {
        for (int i = from; i + 2 < to; i++) {
            boolean itemStarts = i == from || text[i - 1] == ' ' || text[i - 1] == ';';
            if (text[i] == 'S' && text[i + 1] == '[' && itemStarts) {
                int end = indexOf(text, (byte) ']', i + 2, to);
                // Without its closing bracket the number was cut off.
                long value = end < to ? number(text, i + 2, end) * unit : -1;
                return value >= 0 && value <= Integer.MAX_VALUE ? (int) value : -1;
            }
        }
        return -1;
    }

    private static PlainLine data(byte[] text, int from, int to, int unit) {
        int durationTo = indexOf(text, (byte) ';', from, to);
        int msTo = indexOf(text, (byte) ';', durationTo + 1, to);
        int actionTo = indexOf(text, (byte) ';', msTo + 1, to);
        long duration = number(text, from, durationTo) * unit;
        long ms = number(text, durationTo + 1, msTo);
        boolean sound = duration >= 0 && duration <= Integer.MAX_VALUE && ms >= 0 && actionTo > msTo + 1;
        return sound ? new PlainLine(Kind.DATA, (int) duration, ms, msTo + 1, actionTo) : MALFORMED;
    }

    private static int indexOf(byte[] text, byte wanted, int from, int to) {
        int at = from;
        while (at < to && text[at] != wanted) {
            at++;
        }
        return at;
    }

    /** @return the value of the digits, -1 if there are none, too many, or other characters */
    private static long number(byte[] text, int from, int to) {
        if (to <= from || to - from > MAX_DIGITS) {
            return -1;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
