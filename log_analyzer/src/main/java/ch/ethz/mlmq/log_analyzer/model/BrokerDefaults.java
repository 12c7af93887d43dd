package ch.ethz.mlmq.log_analyzer.model;

import ch.ethz.mlmq.log_analyzer.run.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What keys of a broker are where its properties say nothing, by {@code config/mlmq/catalogue.json}. */
final class BrokerDefaults {
    private static final Json KEYS = keys();

    private BrokerDefaults() {
    }

    /** @param key such as {@code broker.workers} */
    static String of(String key) {
        return KEYS.at(key, "default").text().orElseThrow(() -> new IllegalArgumentException("there is no key " + key));
    }

    private static Json keys() {
        try (InputStream in = BrokerDefaults.class.getResourceAsStream("/catalogue.json")) {
            return Json.read(in).at("keys");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
