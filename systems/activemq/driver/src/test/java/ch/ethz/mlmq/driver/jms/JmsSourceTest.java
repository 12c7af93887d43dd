package ch.ethz.mlmq.driver.jms;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.ActiveMQPrefetchPolicy;
import org.junit.jupiter.api.Test;

class JmsSourceTest {
    @Test
    void shouldLetTheBrokerPushNoMoreToASubscriptionThanIsKept() {
        ActiveMQPrefetchPolicy policy = policy(Map.of());

        assertThat(policy.getQueuePrefetch()).as("each take is a pull").isZero();
        assertThat(policy.getTopicPrefetch()).isEqualTo(PushedMessages.MOST);
        assertThat(policy.getDurableTopicPrefetch()).as("as ActiveMQ has it").isEqualTo(100);
    }

    @Test
    void shouldLetTheBrokerPushAsManyAsAreAskedFor() {
        ActiveMQPrefetchPolicy policy = policy(Map.of("client.driver.take", "consume", "client.driver.prefetch", "8"));

        assertThat(List.of(policy.getQueuePrefetch(), policy.getTopicPrefetch(), policy.getDurableTopicPrefetch()))
                .containsOnly(8);
    }

    private static ActiveMQPrefetchPolicy policy(Map<String, String> more) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.myposition", "0", "common.scenario.mapping.client", "Subscriber#127.0.0.1",
                "client.driver", "jms", "client.driver.address", "tcp://127.0.0.1:1"));
        text.putAll(more);
        return new JmsSource(List.of(), Settings.of(ClientJvm.keys(), text)).prefetchPolicy();
    }
}
