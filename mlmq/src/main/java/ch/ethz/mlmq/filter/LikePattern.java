package ch.ethz.mlmq.filter;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A pattern in which % stands for any characters and _ for one. It follows all ways to match at once, with a bit for
 * each character of the pattern, so that no text makes it go back.
 */
final class LikePattern {
    private static final int ANY_ONE = -1;

    private final int[] characters;
    /** Bit i: any characters may come before the character i. */
    private final long[] loops;
    /** For each character, the places in the pattern where it may be. */
    private final Map<Integer, long[]> places = new HashMap<>();
    private final long[] anywhere;

    /** @param escape takes the character behind it literally; -1 for none */
    LikePattern(String pattern, int escape) throws FilterException {
        int[] read = pattern.codePoints().toArray();
        int[] kept = new int[read.length];
        int words = read.length / Long.SIZE + 1;
        loops = new long[words];
        int count = 0;
        for (int i = 0; i < read.length; i++) {
            if (read[i] == escape) {
                if (++i == read.length) {
                    throw new FilterException("nothing is behind the last escape character");
                }
                kept[count++] = read[i];
            } else if (read[i] == '%') {
                set(loops, count);
            } else {
                kept[count++] = read[i] == '_' ? ANY_ONE : read[i];
            }
        }
        characters = Arrays.copyOf(kept, count);
        anywhere = new long[words];
        for (int i = 0; i < count; i++) {
            if (characters[i] == ANY_ONE) {
                set(anywhere, i);
            }
        }
        for (int i = 0; i < count; i++) {
            if (characters[i] != ANY_ONE) {
                set(places.computeIfAbsent(characters[i], c -> anywhere.clone()), i);
            }
        }
    }

    boolean matches(String text) {
        long[] states = new long[loops.length];
        states[0] = 1;
        boolean alive = true;
        for (int at = 0; at < text.length() && alive; at += Character.charCount(text.codePointAt(at))) {
            alive = step(states, places.getOrDefault(text.codePointAt(at), anywhere));
        }
        return alive && (states[characters.length / Long.SIZE] & 1L << characters.length) != 0;
    }

    /** Moves on by one character. @return false if no way to match is left */
    private boolean step(long[] states, long[] accepted) {
        long carry = 0;
        long all = 0;
        for (int i = 0; i < states.length; i++) {
            long moved = states[i] & accepted[i];
            states[i] = moved << 1 | carry | states[i] & loops[i];
            carry = moved >>> Long.SIZE - 1;
            all |= states[i];
        }
        return all != 0;
    }

    /** @return bytes that it takes, about */
    int bytes() {
        return (places.size() + 2) * (64 + loops.length * Long.BYTES) + characters.length * Integer.BYTES;
    }

    private static void set(long[] bits, int bit) {
        bits[bit / Long.SIZE] |= 1L << bit;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LikePattern pattern && Arrays.equals(characters, pattern.characters)
                && Arrays.equals(loops, pattern.loops);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(characters) + Arrays.hashCode(loops);
    }
}
