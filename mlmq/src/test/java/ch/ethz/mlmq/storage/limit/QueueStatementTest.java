package ch.ethz.mlmq.storage.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueueStatementTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "10000 messages, 64 MB, drop oldest|10000 messages, 64 MB, drop oldest",
        "1 message|1 messages, refuse",
        "refuse, 2048 b|2 KB, refuse",
        "age 90 s|age 90s",
        "Age 7d, 5 ATTEMPTS|age 604800s, 5 attempts",
        "backoff 500ms to 1 min|backoff 500ms to 60s",
        "backoff 2s|backoff 2s",
    })
    void shouldReadLimitsAndWriteThemAgain(String text, String written) {
        QueueStatement statement = QueueStatement.parse("LIMIT queue 'news/eu' to " + text);

        assertThat(statement.name()).isEqualTo("news/eu");
        assertThat(statement.wanted()).hasToString(written);
        assertThat(QueueStatement.parse("limit queue x to " + written).wanted()).isEqualTo(statement.wanted());
    }

    @Test
    void shouldReadTheOthers() {
        assertThat(QueueStatement.parse(" unlimit  queue orders ")).isEqualTo(
                new QueueStatement.Limit("orders", QueueLimits.NONE));
        assertThat(QueueStatement.parse("describe queue 'a.dead'")).isEqualTo(new QueueStatement.Describe("a.dead"));
        assertThat(QueueStatement.parse("List  Limits")).isEqualTo(new QueueStatement.Show());
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit queue x", "unlimit queue x to 1 messages", "describe",
        "limit queue 'x to 5 messages",
        "limit queue x to ", "limit queue x to 5", "limit queue x to 5 messages, 6 messages", "limit queue x to refuse",
        "limit queue x to 0 messages", "limit queue x to 9999999999999999 GB", "limit queue x to age 366d",
        "limit queue x to backoff 2s to 1s", "limit queue x to backoff 13h", "limit queue x to 5 messages,",
        "limit queue x to drop oldest, refuse, 5 messages"})
    void shouldRefuseWhatItDoesNotUnderstand(String text) {
        assertThat(QueueStatement.isOne(text)).isTrue();
        assertThatThrownBy(() -> QueueStatement.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKnowItsOwn() {
        assertThat(QueueStatement.isOne("list limits")).isTrue();
        assertThat(QueueStatement.isOne("list users")).isFalse();
        assertThat(QueueStatement.isOne("grant limit to x")).isFalse();
    }

    @Test
    void shouldDoubleTheWaitUpToTheLastOne() {
        QueueLimits limits = QueueStatement.parse("limit queue x to backoff 1s to 5s").wanted();

        assertThat(new long[] {limits.waitMillis(1), limits.waitMillis(2), limits.waitMillis(3), limits.waitMillis(4),
            limits.waitMillis(Integer.MAX_VALUE)}).containsExactly(1_000, 2_000, 4_000, 5_000, 5_000);
        assertThat(QueueStatement.parse("limit queue x to backoff 1s").wanted().waitMillis(9)).isEqualTo(1_000);
        assertThat(QueueLimits.NONE.waitMillis(3)).isZero();
    }
}
