package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoragesTest {
    @Test
    void shouldTellBrokersOnTwoAddressesOfAHostApart() {
        assertThat(Storages.defaultName("127.0.0.1", 8100)).endsWith("/127.0.0.1:8100")
                .isNotEqualTo(Storages.defaultName("127.0.0.2", 8100));
        assertThat(Storages.defaultName("0.0.0.0", 8100)).endsWith(":8100").doesNotContain("/");
    }
}
