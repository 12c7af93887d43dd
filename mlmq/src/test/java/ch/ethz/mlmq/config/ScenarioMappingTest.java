package ch.ethz.mlmq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.ScenarioMapping.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioMappingTest {
    @Test
    void shouldCountPositionsOverAllGroups() {
        ScenarioMapping mapping = ScenarioMapping.GRAMMAR.parse("Broker#a:8100,b:8100;Slow#a:8101");

        assertThat(mapping.places()).containsExactly(new Place("Broker", "a", 8100), new Place("Broker", "b", 8100),
                new Place("Slow", "a", 8101));
        assertThat(mapping.at(2, CommonKeys.BROKERS).scenario()).isEqualTo("Slow");
    }

    @Test
    void shouldTakeHostsWithoutPortsAsOftenAsTheyAreWritten() {
        assertThat(ScenarioMapping.GRAMMAR.parse("OneWayClient#h,h;Producer#h").places()).hasSize(3);
    }

    @Test
    void shouldRefuseAPositionThatDoesNotExist() {
        ScenarioMapping mapping = ScenarioMapping.GRAMMAR.parse("Broker#a:1,a:2");

        assertThatThrownBy(() -> mapping.at(2, CommonKeys.BROKERS)).isInstanceOf(ConfigurationException.class)
                .hasMessage("common.scenario.myposition=2: common.scenario.mapping.broker has positions 0..1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "Broker#a:1,b:1;Other#a:1 | a:1 is there twice",
        "Broker                   | must read Name#host",
        "#a:1                     | must read Name#host",
        "Broker#a:1;              | must read Name#host",
        "Broker#a:x               | must be a number",
        "Broker#a:70000           | must be 1..65535",
        "Broker#:1                | must read host or host:port"})
    void shouldRefuseWhatIsNoMapping(String text, String message) {
        assertThatThrownBy(() -> CommonKeys.BROKERS.parse(text)).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("common.scenario.mapping.broker=").hasMessageContaining(message);
    }
}
