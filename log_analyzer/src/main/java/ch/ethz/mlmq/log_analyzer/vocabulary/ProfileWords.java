package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Resources that a profile can distribute over methods: the rows of {@code vocabulary/profiles.yml}. */
public final class ProfileWords {
    private static final Map<String, String> WORDS = read();

    private ProfileWords() {
    }

    /** @return the words that choose, in the order of the vocabulary */
    public static Set<String> names() {
        return WORDS.keySet();
    }

    /**
     * @param  name                     one of {@link #names}
     * @return                          its words in a sentence
     * @throws IllegalArgumentException if there is none of this name
     */
    public static String of(String name) {
        if (!WORDS.containsKey(name)) {
            throw new IllegalArgumentException("vocabulary/profiles.yml has no " + name);
        }
        return WORDS.get(name);
    }

    private static Map<String, String> read() {
        Map<String, String> words = new LinkedHashMap<>();
        Vocabulary.read("profiles.yml")
                .forEach((name, row) -> words.put(name, (String) ((Map<?, ?>) row).get("words")));
        return words;
    }
}
