package ch.ethz.mlmq.log_analyzer.table;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Formats numbers, independently of the locale. */
public final class Figures {
    private static final int DECIMALS = 3;
    private static final int THOUSAND_DIGITS = 3;
    private static final int NO_DECIMALS_FROM = 1000;
    private static final int TWO_DECIMALS_FROM = 10;
    private static final long[] POWERS = {1, 10, 100, 1_000, 10_000};
    private static final double SURELY_EXACT = 1e12;
    private static final double NEAR_A_TIE = 1e-3;
    private static final MathContext NINE_DIGITS = new MathContext(9);
    private static final MathContext FOUR_DIGITS = new MathContext(4);

    private Figures() {
    }

    /** @return the number with three decimals, without trailing zeros; empty for NaN and infinities */
    public static String plain(double number) {
        return rounded(number, DECIMALS);
    }

    /** @return the number with at most that many decimals; empty for NaN and infinities */
    public static String rounded(double number, int decimals) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return "";
        }
        double scaled = decimals < POWERS.length ? Math.abs(number) * POWERS[decimals] : Double.NaN;
        if (scaled < SURELY_EXACT && Math.abs(scaled - Math.floor(scaled) - 0.5) > NEAR_A_TIE) {
            return decimal(number < 0, Math.round(scaled), decimals);
        }
        BigDecimal rounded = BigDecimal.valueOf(number).setScale(decimals, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /** Formats like {@link BigDecimal} without making one, because tables have many numbers. */
    private static String decimal(boolean negative, long scaled, int decimals) {
        long left = scaled;
        int digits = decimals;
        while (digits > 0 && left % 10 == 0) {
            left /= 10;
            digits--;
        }
        String whole = (negative && left != 0 ? "-" : "") + left / POWERS[digits];
        return digits == 0 ? whole : whole + "." + Long.toString(POWERS[digits] + left % POWERS[digits]).substring(1);
    }

    /** @return the number with at most nine significant digits, as a cell of a table; null for NaN and infinities */
    public static Number significant(double number) {
        return significant(number, NINE_DIGITS);
    }

    /** @return the number with four significant digits, for people; null for NaN and infinities */
    public static Number brief(double number) {
        return significant(number, FOUR_DIGITS);
    }

    private static Number significant(double number, MathContext digits) {
        return Double.isNaN(number) || Double.isInfinite(number) ? null
                : BigDecimal.valueOf(number).round(digits).stripTrailingZeros();
    }

    /** @return the number with as many decimals as help a reader, and thousands separated */
    public static String forPeople(double number) {
        double size = Math.abs(number);
        if (size >= NO_DECIMALS_FROM) {
            return grouped(rounded(number, 0));
        }
        return grouped(rounded(number, size >= TWO_DECIMALS_FROM ? 2 : DECIMALS));
    }

    /** @return the number with thousands separated: {@code 1,234,567.8} */
    public static String grouped(String number) {
        int point = number.indexOf('.') < 0 ? number.length() : number.indexOf('.');
        int sign = number.startsWith("-") ? 1 : 0;
        StringBuilder out = new StringBuilder(number);
        for (int i = point - THOUSAND_DIGITS; i > sign; i -= THOUSAND_DIGITS) {
            out.insert(i, ',');
        }
        return out.toString();
    }

    /** @return a percentile without needless decimals: {@code 2.5}, {@code 50} */
    public static String percent(double percent) {
        return rounded(percent, DECIMALS);
    }
}
