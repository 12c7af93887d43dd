package ch.ethz.mlmq.log_analyzer.model.network;

import ch.ethz.mlmq.log_analyzer.run.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The catalogue of MLMQ's broker: {@code config/mlmq/catalogue.json}. */
public final class BrokerCatalogue {
    private static final Json CATALOGUE = read();

    private BrokerCatalogue() {
    }

    /**
     * @param key such as {@code broker.workers}
     * @return its default value
     */
    public static String defaultOf(String key) {
        return CATALOGUE.at("keys", key, "default").text()
                .orElseThrow(() -> new IllegalArgumentException("there is no key " + key));
    }

    /** @param name in the rule of group commit */
    public static double groupCommit(String name) {
        return CATALOGUE.at("group_commit", name).number().orElseThrow();
    }

    private static Json read() {
        try (InputStream in = BrokerCatalogue.class.getResourceAsStream("/catalogue.json")) {
            return Json.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
