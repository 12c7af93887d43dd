package ch.ethz.mlmq.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Twenty kills; {@code bench/kill} asks for more. */
class KillTest {
    private static final int KILLS = Integer.getInteger("kill.kills", 20);
    private static final long SEED = Long.getLong("kill.seed", 20_131_108L);

    @Test
    void shouldLoseAndDoubleNothingWhateverIsKilled() throws Exception {
        try (KillCampaign campaign = new KillCampaign(SEED)) {
            Balance balance = campaign.run(KILLS);

            System.out.println(balance);
            assertThat(balance.acknowledged()).as("acknowledged").isPositive();
            assertThat(balance.received()).as("received").isPositive();
            assertThat(balance.lost()).as("lost: %s", balance).isZero();
            assertThat(balance.doubled()).as("doubled: %s", balance).isZero();
        }
    }
}
