package ch.ethz.mlmq.scenario.link;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.workload.PublicQueues;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NumberingTest {
    private final Settings settings = Settings.of(ClientJvm.keys(), Map.of("common.scenario.mytype", "client",
            "common.scenario.mapping.client", "Bob#a;Only#sendMessage#a;Bob#b", "client.clients", "3"));
    private final Numbering numbering = new Numbering(settings);

    @Test
    void shouldGiveEachClientAndQueueANumberThatLeadsBackToItsName() {
        Set<Integer> seen = new HashSet<>();
        for (ClientId id : List.of(new ClientId("Bob", 0, 0), new ClientId("Bob", 0, 999),
                new ClientId("Only#sendMessage", 1, 0), new ClientId("Bob", 2, 0))) {
            int client = numbering.client(id);
            assertThat(numbering.client(id.name())).isEqualTo(client).isPositive();
            assertThat(numbering.queueName(numbering.ownQueue(client))).isEqualTo(id.name());
            assertThat(seen.add(client)).isTrue();
            assertThat(seen.add(numbering.ownQueue(client))).isTrue();
        }
        for (String name : List.of("queue1", "queue10000", "pair_0_0", "pair_1023_999")) {
            assertThat(numbering.queueName(numbering.queue(name))).isEqualTo(name);
            assertThat(seen.add(numbering.queue(name)) || name.equals("queue1")).isTrue();
        }
    }

    @Test
    void shouldKnowNobodyWhoIsNoClientOfTheRun() {
        assertThat(numbering.client("Bob_1_0")).isZero();
        assertThat(numbering.client("Bob_3_0")).isZero();
        assertThat(numbering.client("Bob_0")).isZero();
        assertThat(numbering.queue("mails")).isZero();
        assertThat(numbering.sender(new byte[20])).isNegative();
    }

    @Test
    void shouldDealEveryQueueOutToTheClientsOfAScenario() {
        for (String queues : new String[] {"1", "4", "6", "7", "20", "18..19", "5..12"}) {
            PublicQueues all = PublicQueues.GRAMMAR.parse(queues);
            List<Integer> dealt = new ArrayList<>();
            for (int position : new int[] {0, 2}) {
                for (int number = 0; number < 3; number++) {
                    int[] share = numbering.shareOf(numbering.client(new ClientId("Bob", position, number)), all,
                            settings);
                    assertThat(share).isNotEmpty();
                    IntStream.of(share).forEach(dealt::add);
                }
            }
            assertThat(dealt).hasSize(Math.max(6, all.count())).containsAll(all.numbers().boxed().toList());
        }
    }
}
