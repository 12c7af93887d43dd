package ch.ethz.mlmq.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PairsTest {
    private static final String SCENARIO = "PairedClient";

    @Test
    void shouldGiveEveryClientAPartnerThatThinksTheSame() {
        for (int jvms = 1; jvms <= 5; jvms++) {
            List<Integer> positions = List.of(2, 3, 7, 8, 11).subList(0, jvms);
            for (int position : positions) {
                for (int number = 0; number < 6; number++) {
                    ClientId client = new ClientId(SCENARIO, position, number);
                    ClientId partner = Pairs.partnerOf(client, positions);

                    assertThat(partner).isNotEqualTo(client);
                    assertThat(Pairs.partnerOf(partner, positions)).isEqualTo(client);
                    assertThat(Pairs.isFirst(client, positions)).isNotEqualTo(Pairs.isFirst(partner, positions));
                }
            }
        }
    }

    @Test
    void shouldPairClientsOfALastJvmAmongThemselves() {
        assertThat(Pairs.partnerOf(new ClientId(SCENARIO, 2, 5), List.of(2, 3, 7)))
                .isEqualTo(new ClientId(SCENARIO, 3, 5));
        assertThat(Pairs.partnerOf(new ClientId(SCENARIO, 7, 5), List.of(2, 3, 7)))
                .isEqualTo(new ClientId(SCENARIO, 7, 4));
    }
}
