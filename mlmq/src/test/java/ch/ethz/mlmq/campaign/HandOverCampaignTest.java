package ch.ethz.mlmq.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A short campaign; {@code bench/handover} runs long ones. */
class HandOverCampaignTest {
    @Test
    void shouldNeitherLoseNorDoubleAMessageWhateverIsGivenUp() throws Exception {
        try (HandOverCampaign campaign = new HandOverCampaign(20131109, line -> { })) {
            HandOverCampaign.Books books = campaign.run(10);

            assertThat(books.isEven()).as(books.toString()).isTrue();
            assertThat(books.givenUp()).isPositive();
            assertThat(books.received()).isPositive();
        }
    }
}
