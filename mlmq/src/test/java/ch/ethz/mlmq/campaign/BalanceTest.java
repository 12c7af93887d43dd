package ch.ethz.mlmq.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BalanceTest {
    private final Balance.Books classic = new Balance.Books();
    private final Balance.Books lease = new Balance.Books();
    private final Balance.Books dropping = new Balance.Books();

    @Test
    void shouldFindAMessageThatWasLost() {
        lease.acknowledged("a");

        assertThat(Balance.of(1, classic, lease, dropping).lost()).isEqualTo(1);
    }

    @Test
    void shouldLetAClassicDequeueWithoutAnswerAccountForOneMessage() {
        classic.acknowledged("a");
        classic.acknowledged("b");
        classic.unanswered(1);

        Balance balance = Balance.of(1, classic, lease, dropping);

        assertThat(balance.unanswered()).isEqualTo(1);
        assertThat(balance.lost()).isEqualTo(1);
    }

    @Test
    void shouldFindAMessageReceivedTwiceOrStillThere() {
        classic.received("a");
        classic.received("a");
        lease.received("b");
        lease.left("b");

        assertThat(Balance.of(1, classic, lease, dropping).doubled()).isEqualTo(2);
    }

    @Test
    void shouldMissOnlyTheLastMessageOfAQueueThatDropsTheOldest() {
        dropping.acknowledged("b");
        dropping.acknowledged("a");

        Balance balance = Balance.of(1, classic, lease, dropping);

        assertThat(balance.dropped()).isEqualTo(1);
        assertThat(balance.lost()).isEqualTo(1);
    }

    @Test
    void shouldNotBeEvenBeyondALimit() {
        Balance balance = Balance.of(1, classic, lease, dropping);

        assertThat(balance.with(0, 5, 0).isEven()).isTrue();
        assertThat(balance.with(0, 0, 1).isEven()).isFalse();
    }
}
