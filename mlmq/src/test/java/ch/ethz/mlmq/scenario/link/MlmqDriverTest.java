package ch.ethz.mlmq.scenario.link;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MlmqDriverTest {
    @Test
    void shouldRefuseASourceThatIsNoAddressOfThisMachine() {
        Settings settings = Settings.of(ClientJvm.keys(), Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.client", "Echo#127.0.0.1",
                "common.scenario.mapping.broker", "Broker#127.0.0.1:8099", "client.driver.source", "192.0.2.1"));

        assertThatThrownBy(() -> new MlmqDriver().links(settings)).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("client.driver.source=192.0.2.1: this machine has no such address");
    }
}
