package ch.ethz.mlmq.storage.limit;

import java.util.Locale;
import java.util.Map;

/** Numbers with units in statements about queues. */
final class Amount {
    private static final Map<String, Long> BYTES = Map.of("b", 1L, "kb", 1L << 10, "mb", 1L << 20, "gb", 1L << 30);
    private static final Map<String, Long> MILLIS = Map.of("ms", 1L, "s", 1_000L, "min", 60_000L, "h", 3_600_000L,
            "d", 86_400_000L);

    private Amount() {
    }

    static long bytes(String number, String unit) {
        return product(number, BYTES.get(unit.toLowerCase(Locale.ROOT)));
    }

    static long millis(String number, String unit) {
        return product(number, MILLIS.get(unit.toLowerCase(Locale.ROOT)));
    }

    /** @return the number in its largest unit without a fraction */
    static String ofBytes(long bytes) {
        for (String unit : new String[] {"gb", "mb", "kb"}) {
            if (bytes % BYTES.get(unit) == 0) {
                return bytes / BYTES.get(unit) + " " + unit.toUpperCase(Locale.ROOT);
            }
        }
        return bytes + " B";
    }

    /** @return the largest number if it is too large */
    private static long product(String number, long unit) {
        long value = Long.parseLong(number);
        return value > Long.MAX_VALUE / unit ? Long.MAX_VALUE : value * unit;
    }
}
