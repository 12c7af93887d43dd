package ch.ethz.mlmq.log_analyzer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void shouldRoundAsDecimalsAreRounded() {
        Random random = new Random(7);
        for (int i = 0; i < 200_000; i++) {
            int decimals = random.nextInt(7);
            double number = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(18) - 4);
            double shown = random.nextBoolean() ? number : Math.round(number * 10_000) / 10_000.0;

            assertThat(Figures.rounded(shown, decimals)).isEqualTo(exactly(shown, decimals));
        }
    }

    @Test
    void shouldRoundTiesToTheEvenDigit() {
        assertThat(Figures.rounded(0.0625, 3)).isEqualTo("0.062");
        assertThat(Figures.rounded(-2.5, 0)).isEqualTo("-2");
        assertThat(Figures.rounded(1.005, 2)).isEqualTo("1");
        assertThat(Figures.rounded(-0.0004, 3)).isEqualTo("0");
        assertThat(Figures.rounded(12_000.5004, 3)).isEqualTo("12000.5");
        assertThat(Figures.rounded(Double.NaN, 3)).isEmpty();
    }

    private static String exactly(double number, int decimals) {
        BigDecimal rounded = BigDecimal.valueOf(number).setScale(decimals, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
