package ch.ethz.mlmq.scenario.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.scenario.Scenario;
import org.junit.jupiter.api.Test;

class ScenariosTest {
    @Test
    void shouldHaveEveryKindOfTheStudies() {
        assertThat(Scenarios.all()).extracting(Scenario::name).contains("OneWayClient", "PairedClient",
                "PublicQueueProducer", "PublicQueueConsumer", "Larry", "Alice", "Bob", "Tola", "Maruja", "Carl",
                "Rick", "Mix",
                "Echo", "Fill", "Only#sendMessage", "Only#dequeueMessage", "Only#peekMessage").doesNotHaveDuplicates();
    }

    @Test
    void shouldSuggestTheNearestNameForOneThatDoesNotExist() {
        assertThatThrownBy(() -> Scenarios.named("OneWayCleint")).isInstanceOf(ConfigurationException.class)
                .hasMessage("unknown scenario OneWayCleint; did you mean OneWayClient?");
    }
}
