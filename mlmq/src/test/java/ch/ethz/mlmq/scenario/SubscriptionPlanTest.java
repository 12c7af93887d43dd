package ch.ethz.mlmq.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.Subscribed.Subscription;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SubscriptionPlanTest {
    private static final int[] TOPICS = {101, 102};

    @Test
    void shouldDealAllSubscriptionsEvenlyToTheClientsOfAllJvms() {
        SubscriptionPlan plan = plan("client.topic.matching", "5", "client.topic.others", "9");

        List<String> all = new ArrayList<>();
        for (int position : new int[] {0, 2}) {
            for (int number = 0; number < 3; number++) {
                List<Subscription> mine = plan.of(new ClientId("Subscriber", position, number), TOPICS);
                assertThat(mine).hasSizeBetween(4, 5);
                assertThat(mine.stream().filter(Subscription::matching).count()).isBetween(1L, plan.mostMatching());
                mine.forEach(each -> all.add(each.request().topic() + " " + each.request().name()));
            }
        }
        assertThat(all).hasSize(28).doesNotHaveDuplicates().contains("101 matching0", "102 matching4", "102 other8");
        assertThat(plan.subscriptions()).isEqualTo(28);
        assertThat(plan.clients()).isEqualTo(6);
    }

    @Test
    void shouldMakeOtherFiltersEqualOrDifferent() {
        assertThat(filters("equal")).containsExactly("id = '0'", "id = '1'", "id = '1'", "id = '1'");
        assertThat(filters("different")).containsExactly("id = '0'", "id = '1'", "id = '2'", "id = '3'");
    }

    private static List<String> filters(String alike) {
        SubscriptionPlan plan = new SubscriptionPlan("Subscriber", settings("Subscriber#127.0.0.1", "client.clients",
                "1", "client.topic.matching", "1", "client.topic.others", "3", "client.topic.filters", alike));
        return plan.of(new ClientId("Subscriber", 0, 0), new int[] {1}).stream()
                .map(each -> each.request().filter()).toList();
    }

    private static SubscriptionPlan plan(String... text) {
        List<String> all = new ArrayList<>(List.of("client.clients", "3", "client.topics", "2"));
        all.addAll(List.of(text));
        return new SubscriptionPlan("Subscriber", settings("Subscriber#127.0.0.1;Publisher#127.0.0.1;"
                + "Subscriber#127.0.0.1", all.toArray(String[]::new)));
    }

    private static Settings settings(String mapping, String... text) {
        Map<String, String> values = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.client", mapping));
        for (int i = 0; i < text.length; i += 2) {
            values.put(text[i], text[i + 1]);
        }
        return Settings.of(ClientJvm.keys(), values);
    }
}
