package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.source.Place;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds the group of an action from its bytes: a hash table for one file and one thread. */
final class ActionTable {
    private static final int NOT_ASKED = -2;
    private static final int SLOTS = 1 << 12;
    private static final int LIMIT = SLOTS / 2;

    private final Groups groups;
    private final Place place;
    private final Entry[] slots = new Entry[SLOTS];
    private int used;

    ActionTable(Groups groups, Place place) {
        this.groups = groups;
        this.place = place;
    }

    /** @param hash any function of the bytes, the same each time */
    Entry find(byte[] line, int from, int length, long hash) {
        int index = (int) (hash ^ hash >>> 32) & SLOTS - 1;
        for (Entry entry; (entry = slots[index]) != null; index = index + 1 & SLOTS - 1) {
            if (entry.hash == hash && entry.equalTo(line, from, length)) {
                return entry;
            }
        }
        return add(line, from, length, hash, index);
    }

    private Entry add(byte[] line, int from, int length, long hash, int index) {
        String action = new String(line, from, length, StandardCharsets.UTF_8);
        Entry entry = new Entry(action, Arrays.copyOfRange(line, from, from + length), hash,
                groups.numberOf(place, action));
        if (used < LIMIT) {
            used++;
            slots[index] = entry;
        }
        return entry;
    }

    /** @return the group of this action's service times, in lines that tell them beside the response time */
    int serviceGroup(Entry entry) {
        if (entry.serviceGroup == NOT_ASKED) {
            entry.serviceGroup = groups.numberOfService(place, entry.action);
        }
        return entry.serviceGroup;
    }

    /** An action of this file. */
    static final class Entry {
        final int group;
        private final String action;
        private final byte[] bytes;
        private final long hash;
        private int serviceGroup = NOT_ASKED;

        Entry(String action, byte[] bytes, long hash, int group) {
            this.action = action;
            this.bytes = bytes;
            this.hash = hash;
            this.group = group;
        }

        private boolean equalTo(byte[] line, int from, int length) {
            if (length != bytes.length) {
                return false;
            }
            for (int i = 0; i < length; i++) {
                if (line[from + i] != bytes[i]) {
                    return false;
                }
            }
            return true;
        }
    }
}
