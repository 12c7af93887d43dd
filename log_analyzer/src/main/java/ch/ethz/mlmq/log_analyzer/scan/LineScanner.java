package ch.ethz.mlmq.log_analyzer.scan;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads {@code duration;utc-ms;action;context} lines from bytes into a {@link CellTable}.
 *
 * <p>Lines of the usual form are read eight bytes at a time; others are left to {@link PlainLine}, which decides
 * whether they are a rare form or malformed.
 */
final class LineScanner {
    /** Readable bytes that must follow the last line. */
    static final int PADDING = 64;
    private static final int STAMP_DIGITS = 13;
    private static final int STAMP_LOW_DIGITS = 5;
    private static final long STAMP_HIGH_UNIT = 100_000;
    private static final int SHOWN = 120;
    private static final int US_PER_MS = 1000;

    private final CellTable cells;
    private final ActionTable actions;
    private final int unit;
    private final int maxDigits;
    private boolean headerMayFollow;
    /** The first digits of the last time stamp, which are mostly those of the next, and their value. */
    private long lastHigh = Words.ZEROS;
    private long lastHighMs;

    private long lines;
    private long malformed;
    private long firstMalformedLine;
    private String firstMalformed = "";
    private long dropped;
    private boolean truncated;

    /**
     * @param unit        us one unit of duration stands for
     * @param atFileStart whether the first line may be a header
     */
    LineScanner(CellTable cells, ActionTable actions, int unit, boolean atFileStart) {
        this.cells = cells;
        this.actions = actions;
        this.unit = unit;
        this.maxDigits = unit == 1 ? 7 : 6;
        this.headerMayFollow = atFileStart;
    }

    /** @param to end of the last line, just behind its newline */
    void scan(byte[] text, int from, int to) {
        int at = from;
        if (headerMayFollow && at < to) {
            lines++;
            at = readPlainly(text, at);
            headerMayFollow = false;
        }
        while (at < to) {
            at = scanLine(text, at);
        }
    }

    /**
     * Reads a last line without newline: it counts if it is complete up to its action, else it was cut off, which is
     * normal.
     */
    void scanUnfinished(byte[] text, int from, int to) {
        int separators = 0;
        for (int i = from; i < to; i++) {
            separators += text[i] == ';' ? 1 : 0;
        }
        if (separators >= 3) {
            text[to] = '\n';
            scanLine(text, from);
        } else {
            truncated = true;
        }
    }

    /** Counts a line that is too long to be one. */
    void skipOverlong(byte[] text, int from, int to) {
        lines++;
        noteMalformed(Arrays.copyOfRange(text, from, to));
    }

    /** Notes that the file ends before its end. */
    void noteTruncated() {
        truncated = true;
    }

    /** Notes that the compressed bytes are damaged from here on. */
    void noteDamaged(String reason) {
        lines++;
        noteMalformed(("damaged: " + reason).getBytes(StandardCharsets.UTF_8));
    }

    SliceCount count() {
        return new SliceCount(lines, malformed, firstMalformedLine, firstMalformed, dropped, truncated);
    }

    private int scanLine(byte[] text, int start) {
        lines++;
        long word = Words.at(text, start);
        long separator = Words.match(word, Words.SEMICOLONS);
        int length = Words.first(separator);
        if (separator == 0 || length == 0 || length > maxDigits) {
            return readPlainly(text, start);
        }
        long digits = Words.digits(word, length);
        int at = start + length + 1;
        long stampHigh = Words.at(text, at);
        long rest = Words.at(text, at + Words.BYTES);
        int actionFrom = at + STAMP_DIGITS + 1;
        long stampLow = Words.digits(rest, STAMP_LOW_DIGITS);
        int behindStamp = (int) (rest >>> STAMP_LOW_DIGITS * Words.BYTES);
        int actionBegins = behindStamp >>> Words.BYTES & 0xff;
        if (stampHigh != lastHigh && !readHigh(stampHigh) || !Words.areDigits(digits, stampLow)
                || (behindStamp & 0xff) != ';' || actionBegins == ';' || actionBegins == '\n'
                || actionBegins == '\r') {
            return readPlainly(text, start);
        }
        long ms = lastHighMs + Words.number(stampLow);
        ActionTable.Entry action = actions.find(text, actionFrom);
        int duration = Words.number(digits) * unit;
        long startMs = ms - duration / US_PER_MS;
        if (action.lane != null) {
            cells.record(action.lane, startMs, ms, duration);
        } else {
            cells.pass(ms);
        }
        return scanContext(text, actionFrom + action.length, startMs, ms, action);
    }

    /** @return false if the word is no number */
    private boolean readHigh(long word) {
        long digits = Words.digits(word, Words.BYTES);
        if (!Words.areDigits(digits)) {
            return false;
        }
        lastHigh = word;
        lastHighMs = Words.number(digits) * STAMP_HIGH_UNIT;
        return true;
    }

    /** @param from index of the semicolon before it, or of the newline if there is none */
    private int scanContext(byte[] text, int from, long startMs, long ms, ActionTable.Entry action) {
        int at = from;
        long serviceSeen = 0;
        while (true) {
            long word = Words.at(text, at);
            long end = Words.match(word, Words.NEWLINES);
            serviceSeen |= Words.upTo(Words.match(word, Words.SERVICE), end);
            if (end != 0) {
                at += Words.first(end);
                break;
            }
            at += Words.BYTES;
        }
        if (serviceSeen != 0 && action.lane != null) {
            recordService(text, from, at, startMs, ms, action);
        }
        return at + 1;
    }

    /** Records the service time at the time at which its request began. */
    private void recordService(byte[] text, int from, int to, long startMs, long ms, ActionTable.Entry action) {
        int service = PlainLine.serviceTime(text, from, to, unit);
        if (service >= 0 && !cells.isTooFar()) {
            cells.record(actions.serviceLane(action), startMs, ms, service);
        }
    }

    private int readPlainly(byte[] text, int start) {
        int end = start;
        while (text[end] != '\n') {
            end++;
        }
        PlainLine line = PlainLine.of(text, start, end, unit, headerMayFollow);
        switch (line.kind()) {
            case DATA -> {
                ActionTable.Entry action = actions.find(text, line.actionFrom());
                long startMs = line.ms() - line.duration() / US_PER_MS;
                if (action.lane != null) {
                    cells.record(action.lane, startMs, line.ms(), line.duration());
                    recordService(text, line.actionTo(), end, startMs, line.ms(), action);
                } else {
                    cells.pass(line.ms());
                }
            }
            case DROPPED -> dropped += line.duration();
            case MALFORMED -> noteMalformed(Arrays.copyOfRange(text, start, end));
            case REMARK -> {
                // There is nothing to record.
            }
        }
        return end + 1;
    }

    private void noteMalformed(byte[] line) {
        if (malformed++ == 0) {
            firstMalformedLine = lines;
            firstMalformed = new String(line, 0, Math.min(SHOWN, line.length), StandardCharsets.UTF_8).stripTrailing();
        }
    }
}
