package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientConfigTest {
    @Test
    void shouldReadAListOfBrokers() {
        assertThat(ClientConfig.of("localhost:8099, 10.0.0.1:8100,[::1]:8101").brokers()).containsExactly(
                new BrokerAddress("localhost", 8099), new BrokerAddress("10.0.0.1", 8100),
                new BrokerAddress("::1", 8101));
        assertThat(new BrokerAddress("::1", 8101).toString()).isEqualTo("[::1]:8101");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", ":8099", "localhost:", "localhost:port", "localhost:0", "localhost:65536",
        "::1:8099", "localhost:1,", "[]:8099"})
    void shouldRefuseWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> ClientConfig.of(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> ClientConfig.builder().build())
                .hasMessage("a client needs the address of at least one broker");
        assertThatThrownBy(() -> settings().inflightMax(0).build())
                .hasMessage("the inflight.max of a client is at least 1, not 0");
        assertThatThrownBy(() -> settings().inflightMax(1 << 21).build()).hasMessageContaining("at most 1048576");
        assertThatThrownBy(() -> settings().requestTimeoutMillis(0).build()).hasMessageContaining("timeout [ms]");
        assertThatThrownBy(() -> settings().connectTimeoutMillis(-1).build()).hasMessageContaining("connect timeout");
        assertThatThrownBy(() -> settings().backoffMillis(10, 9).build()).hasMessageContaining("at least 10, not 9");
        assertThatThrownBy(() -> settings().maxPayloadBytes(10).build()).hasMessageContaining("longest frame");
    }

    private static ClientConfig.Builder settings() {
        return ClientConfig.builder().brokers(BrokerAddress.parseList("localhost:8099"));
    }
}
