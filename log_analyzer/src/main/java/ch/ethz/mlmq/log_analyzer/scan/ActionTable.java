package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;
import java.nio.charset.StandardCharsets;

/**
 * Finds the lane of an action from its bytes: a hash table for one file and one thread.
 *
 * <p>It hashes the first 16 bytes up to the semicolon, and compares 32 bytes at once with all behind the semicolon
 * masked. A processor cannot predict which action a line has, so there is no branch on it.
 */
final class ActionTable {
    private static final int COMPARED_AT_ONCE = 4;
    /** Longer actions are not remembered. */
    private static final int MAX_LENGTH = LineScanner.PADDING - Words.BYTES;
    private static final int SLOTS = 1 << 10;
    private static final int LIMIT = SLOTS / 2;
    private static final long MIX = 0x9e3779b97f4a7c15L;
    private static final int HASH_SHIFT = Long.SIZE - 10;

    private final Groups groups;
    private final PerformanceFile log;
    private final CellTable cells;
    private final Entry[] slots = new Entry[SLOTS];
    private int used;

    ActionTable(Groups groups, PerformanceFile log, CellTable cells) {
        this.groups = groups;
        this.log = log;
        this.cells = cells;
    }

    /**
     * @param from index of the action's first byte; a semicolon or a newline must follow
     * @return the action; if its line has no semicolon behind it, one whose {@link Entry#length} reaches the newline
     */
    Entry find(byte[] text, int from) {
        long first = Words.at(text, from);
        long second = Words.at(text, from + Words.BYTES);
        long firstEnd = Words.match(first, Words.SEMICOLONS);
        long head = Words.upTo(first, firstEnd);
        long tail = Words.upTo(second, Words.match(second, Words.SEMICOLONS)) & Words.allIfNone(firstEnd);
        long third = Words.at(text, from + 2 * Words.BYTES);
        long fourth = Words.at(text, from + 3 * Words.BYTES);
        int index = (int) ((head ^ tail * MIX) * MIX >>> HASH_SHIFT);
        for (Entry entry; (entry = slots[index]) != null; index = index + 1 & SLOTS - 1) {
            if (entry.equals(first, second, third, fourth) && entry.endsLike(text, from)) {
                return entry;
            }
        }
        return add(text, from, index);
    }

    /** @return the lane of this action's service times, in lines that contain them beside the response time */
    Lane serviceLane(Entry entry) {
        if (entry.service == null) {
            int group = groups.numberOfService(log, entry.action);
            entry.service = cells.lane(group);
        }
        return entry.service;
    }

    private Entry add(byte[] text, int from, int index) {
        int to = from;
        while (text[to] != ';' && text[to] != '\n') {
            to++;
        }
        int end = text[to] == '\n' && text[to - 1] == '\r' ? to - 1 : to;
        String action = new String(text, from, end - from, StandardCharsets.UTF_8);
        int group = groups.numberOf(log, action);
        Entry entry = new Entry(action, text, from, to - from, group == Groups.UNWANTED ? null : cells.lane(group));
        if (used < LIMIT && text[to] == ';' && to - from < MAX_LENGTH) {
            used++;
            slots[index] = entry;
        }
        return entry;
    }

    /** An action of this file. */
    static final class Entry {
        /** The lane of its durations; null if they are not wanted. */
        final Lane lane;
        /** Bytes without the semicolon. */
        final int length;
        private final String action;
        private final long first;
        private final long second;
        private final long third;
        private final long fourth;
        private final long firstMask;
        private final long secondMask;
        private final long thirdMask;
        private final long fourthMask;
        private final long[] words;
        private final long[] masks;
        private Lane service;

        Entry(String action, byte[] text, int from, int length, Lane lane) {
            this.action = action;
            this.length = length;
            this.lane = lane;
            int bytes = length + 1;
            words = new long[Math.max(COMPARED_AT_ONCE, (bytes + Words.BYTES - 1) / Words.BYTES)];
            masks = new long[words.length];
            for (int i = 0; i < bytes; i++) {
                int shift = i % Words.BYTES * Words.BYTES;
                words[i / Words.BYTES] |= (text[from + i] & 0xffL) << shift;
                masks[i / Words.BYTES] |= 0xffL << shift;
            }
            first = words[0];
            second = words[1];
            third = words[2];
            fourth = words[3];
            firstMask = masks[0];
            secondMask = masks[1];
            thirdMask = masks[2];
            fourthMask = masks[3];
        }

        private boolean equals(long one, long two, long three, long four) {
            return ((one ^ first) & firstMask | (two ^ second) & secondMask
                    | (three ^ third) & thirdMask | (four ^ fourth) & fourthMask) == 0;
        }

        private boolean endsLike(byte[] text, int from) {
            for (int i = COMPARED_AT_ONCE; i < words.length; i++) {
                if (((Words.at(text, from + i * Words.BYTES) ^ words[i]) & masks[i]) != 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
