package ch.ethz.mlmq.config;

import java.util.Collection;
import java.util.Comparator;

/** Suggests an existing name for one that does not exist. */
public final class Nearest {
    private Nearest() {
    }

    /**
     * @param names the existing ones, at least one
     * @return the one with the smallest edit distance
     */
    public static String to(String name, Collection<String> names) {
        return names.stream().min(Comparator.comparingInt(other -> distance(name, other))).orElseThrow();
    }

    /** Levenshtein's distance: the number of letters to insert, delete or replace. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
