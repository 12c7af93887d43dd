package ch.ethz.mlmq.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All keys, in the order in which a template lists them. */
public final class KeyRegistry {
    private final Map<String, Key<?>> keys = new LinkedHashMap<>();

    private KeyRegistry(List<List<Key<?>>> groups) {
        groups.forEach(group -> group.forEach(key -> {
            if (keys.put(key.name(), key) != null) {
                throw new IllegalArgumentException("the key " + key.name() + " is there twice");
            }
        }));
    }

    /** Combines several groups of keys, such as {@code CommonKeys.ALL} and {@code BrokerKeys.ALL}. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static KeyRegistry of(List<Key<?>>... groups) {
        return new KeyRegistry(List.of(groups));
    }

    public Collection<Key<?>> keys() {
        return keys.values();
    }

    /** @throws ConfigurationException if there is no such key; the message names the nearest one */
    Key<?> find(String name) {
        Key<?> key = keys.get(name);
        if (key == null) {
            throw new ConfigurationException(
                    "unknown key " + name + "; did you mean " + Nearest.to(name, keys.keySet()) + "?");
        }
        return key;
    }
}
