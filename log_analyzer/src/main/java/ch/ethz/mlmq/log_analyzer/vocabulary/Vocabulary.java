package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of {@code vocabulary/}, which the Testmaster reads, too. */
final class Vocabulary {
    private Vocabulary() {
    }

    /** @return the content of a file in the jar */
    static Map<String, Object> read(String file) {
        try (InputStream in = Vocabulary.class.getResourceAsStream("/vocabulary/" + file)) {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
