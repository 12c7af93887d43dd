package ch.ethz.mlmq.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every key there is, in the order in which a template lists them. */
public final class KeyRegistry {
    private final Map<String, Key<?>> keys = new LinkedHashMap<>();

    private KeyRegistry(List<List<Key<?>>> groups) {
        groups.forEach(group -> group.forEach(key -> {
            if (keys.put(key.name(), key) != null) {
                throw new IllegalArgumentException("the key " + key.name() + " is there twice");
            }
        }));
    }

    /** A registry of several groups of keys, such as {@code CommonKeys.ALL} and {@code BrokerKeys.ALL}. */
    @SafeVarargs
    public static KeyRegistry of(List<Key<?>>... groups) {
        return new KeyRegistry(List.of(groups));
    }

    public Collection<Key<?>> keys() {
        return keys.values();
    }

    /** @throws ConfigurationException where there is no such key; names the nearest */
    Key<?> find(String name) {
        Key<?> key = keys.get(name);
        if (key == null) {
            throw new ConfigurationException("unknown key " + name + "; did you mean " + nearest(name) + "?");
        }
        return key;
    }

    private String nearest(String name) {
        return keys.keySet().stream().min(Comparator.comparingInt(key -> distance(name, key))).orElseThrow();
    }

    /** Levenshtein's distance: how many letters to insert, delete or replace. */
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
