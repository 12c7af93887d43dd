package ch.ethz.mlmq.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The validated values of all keys of a registry. Immutable. */
public final class Settings {
    private final Map<Key<?>, Object> values;

    private Settings(Map<Key<?>, Object> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * @param text values as written, by name of their key
     * @throws ConfigurationException for an unknown key or a value outside its range
     */
    public static Settings of(KeyRegistry registry, Map<String, String> text) {
        Map<Key<?>, Object> values = new HashMap<>();
        for (Key<?> key : registry.keys()) {
            if (key.defaultValue() != null) {
                values.put(key, key.parse(key.defaultValue()));
            }
        }
        new TreeMap<>(text).forEach((name, value) -> {
            Key<?> key = registry.find(name);
            values.put(key, key.parse(value.strip()));
        });
        return new Settings(values);
    }

    /**
     * @param file Java properties in UTF-8
     * @throws ConfigurationException if it cannot be read or something in it is wrong; the message names the file
     */
    public static Settings load(KeyRegistry registry, Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException e) {
            throw ConfigurationException.unreadable(file.toString(), e);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(file + ": cannot be read: " + e.getMessage(), e);
        }
        Map<String, String> text = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> text.put(name, properties.getProperty(name)));
        try {
            return of(registry, text);
        } catch (ConfigurationException e) {
            throw new ConfigurationException(file + ": " + e.getMessage(), e);
        }
    }

    /** @throws ConfigurationException if the key has neither a value nor a default */
    public <T> T get(Key<T> key) {
        Object value = values.get(key);
        if (value == null) {
            throw new ConfigurationException(key.name() + " is missing: " + key.description());
        }
        return key.type().cast(value);
    }
}
