package ch.ethz.mlmq.scenario.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.scenario.link.Drivers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks that the catalogue in the checkout is that of these programs. */
class CatalogueTest {
    @Test
    void shouldBeTheOneOfTheCheckout() throws Exception {
        assertThat(Files.readString(Path.of("..", "config", "mlmq", "catalogue.json")))
                .as("java -jar mlmq/target/mlmq.jar describe > config/mlmq/catalogue.json")
                .isEqualTo(Catalogue.describe());
    }

    @Test
    void shouldSayWhatThereIsToSayOfTheKeysThatADriverAloneHas() {
        assertThat(Catalogue.describe(Drivers.named("jdbc"))).contains(
                "\"client.driver.sessions\",\"client.driver.table\",\"client.driver.pgmq.take\"]",
                "\"own_keys\":{\"client.driver.table\":{\"type\":\"Table\",\"default\":\"skip_locked\"");
        assertThat(Catalogue.describe(Drivers.named("mlmq"))).doesNotContain("own_keys");
    }
}
