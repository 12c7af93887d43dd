package ch.ethz.mlmq.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/** Ten kills; {@code bench/kill} asks for more. */
class KillTest {
    private static final int KILLS = 10;
    private static final long SEED = 20_131_108L;

    @Test
    void shouldLoseAndDoubleNothingWhateverIsKilled() throws Exception {
        try (KillCampaign campaign = new KillCampaign(SEED, false, line -> { })) {
            Balance balance = campaign.run(KILLS);

            System.out.println(balance);
            assertThat(balance.acknowledged()).as("acknowledged").isPositive();
            assertThat(balance.received()).as("received").isPositive();
            assertThat(balance.refused()).as("refused").isPositive();
            assertThat(balance.dropped()).as("dropped").isPositive();
            if (!balance.isEven()) {
                fail(balance + "\n" + KillBench.explain(campaign));
            }
        }
    }
}
