package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.util.Arrays;

/**
 * Remembers the latest messages that a JVM has received from queues of its own. What such a queue delivers again was
 * either received here before, or pushed to a connection that was lost with it. Ids begin again with each load, so the
 * intended start tells their messages apart. Thread-safe.
 *
 * <p>Hashes of 64 bits stand for messages, without an object for each: every received copy comes here. A copy has the
 * hash of one of 200,000 others with a probability of about 10<sup>-14</sup>.
 */
final class LatestReceipts {
    /** At least so many are remembered, and at most twice as many. */
    static final int LEAST = 100_000;
    private static final int SLOTS = 1 << 18; // more than twice as many, so that a free one is near
    private static final long EMPTY = 0;

    private long[] newer = new long[SLOTS];
    private long[] older = new long[SLOTS];
    private int count;

    /**
     * @param message with an id
     * @return true if it is not among the latest
     */
    synchronized boolean add(Message message) {
        byte[] content = message.content();
        long hash = hash(LoadMessage.idOf(content), LoadMessage.stampOf(content), message.queue());
        int slot = slotOf(newer, hash);
        if (newer[slot] == hash || older[slotOf(older, hash)] == hash) {
            return false;
        }
        newer[slot] = hash;
        count++;
        if (count == LEAST) {
            long[] forgotten = older;
            older = newer;
            newer = forgotten;
            Arrays.fill(newer, EMPTY);
            count = 0;
        }
        return true;
    }

    /** @return the slot with this hash, or the free one for it */
    private static int slotOf(long[] hashes, long hash) {
        int slot = (int) hash & SLOTS - 1;
        while (hashes[slot] != hash && hashes[slot] != EMPTY) {
            slot = slot + 1 & SLOTS - 1;
        }
        return slot;
    }

    /** Mixes as SplitMix64 does (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
    private static long hash(long id, long stamp, int queue) {
        long bits = mixed(mixed(id + queue * 0x9e3779b97f4a7c15L) + stamp);
        return bits == EMPTY ? 1 : bits;
    }

    private static long mixed(long value) {
        long bits = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
        return bits ^ bits >>> 31;
    }
}
