package ch.ethz.mlmq.filter;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FilterIndexTest {
    private static final long SEED = 20_131_105L;

    @Test
    void shouldAgreeWithANaiveEvaluation() throws Exception {
        RandomFilters random = new RandomFilters(SEED);
        int taken = 0;
        for (int i = 0; i < 20_000; i++) {
            RandomFilters.Sample sample = random.filter();
            FilteredMessage message = random.message();
            boolean expected = Boolean.TRUE.equals(sample.truth(message));

            assertThat(Filter.parse(sample.text()).takes(message)).as("%s for %s", sample.text(), message)
                    .isEqualTo(expected);
            taken += expected ? 1 : 0;
        }
        assertThat(taken).isBetween(2_000, 18_000);
    }

    @Test
    void shouldFindWhatEachFilterTakes() throws Exception {
        RandomFilters random = new RandomFilters(SEED + 1);
        List<FilterIndex.Entry> entries = new ArrayList<>();
        for (int id = 1; id <= 2_000; id++) {
            entries.add(new FilterIndex.Entry(Filter.parse(random.filter().text()), id));
        }
        for (String equality : new String[] {"a = 1", "a = 1", "1.0 = a", "b = 'x'", "c = TRUE", "a IN (1, 2, 'x')",
                "a = 1 AND b = 'x'", "b <> 'x' AND a = 1", "a = 2 AND a = 1", "$priority = 5", ""}) {
            entries.add(new FilterIndex.Entry(Filter.parse(equality), entries.size() + 1));
        }
        FilterIndex index = new FilterIndex(entries);
        for (int i = 0; i < 500; i++) {
            FilteredMessage message = random.message();

            assertThat(index.taking(message)).containsExactly(entries.stream()
                    .filter(entry -> entry.filter().takes(message)).mapToInt(FilterIndex.Entry::id).toArray());
        }
    }

    @Test
    void shouldCompareIntegersAndRealsAsAFilterDoes() throws Exception {
        long great = 1L << 53;
        List<FilterIndex.Entry> entries = new ArrayList<>();
        for (long value : new long[] {0, 5, great, great + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            entries.add(new FilterIndex.Entry(Filter.parse("a = " + value), entries.size()));
        }
        FilterIndex index = new FilterIndex(entries);
        MessageProperties[] values = {MessageProperties.NONE.with("a", 0), MessageProperties.NONE.with("a", -0.0),
                MessageProperties.NONE.with("a", 5.0), MessageProperties.NONE.with("a", 5.5),
                MessageProperties.NONE.with("a", great), MessageProperties.NONE.with("a", (double) great),
                MessageProperties.NONE.with("a", great + 1), MessageProperties.NONE.with("a", (double) Long.MAX_VALUE),
                MessageProperties.NONE.with("a", (double) Long.MIN_VALUE), MessageProperties.NONE.with("a", Double.NaN),
                MessageProperties.NONE.with("a", Long.MIN_VALUE), MessageProperties.NONE.with("a", "5")};
        for (MessageProperties properties : values) {
            FilteredMessage message = new FilteredMessage(properties, 5, 0);
            assertThat(index.taking(message)).as("%s", properties).containsExactly(entries.stream()
                    .filter(entry -> entry.filter().takes(message)).mapToInt(FilterIndex.Entry::id).toArray());
        }
    }

    @Test
    void shouldMatchPatternsAsExpressionsDo() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 3_000; i++) {
            String pattern = letters(random, "ab%_", random.nextInt(i % 10 == 0 ? 200 : 8));
            String text = letters(random, "ab", random.nextInt(i % 10 == 0 ? 300 : 8));

            assertThat(new LikePattern(pattern, -1).matches(text)).as("%s LIKE %s", text, pattern)
                    .isEqualTo(naive(pattern, text));
        }
    }

    /** Fills the table of which beginnings of the text match which beginnings of the pattern. */
    private static boolean naive(String pattern, String text) {
        boolean[][] matches = new boolean[pattern.length() + 1][text.length() + 1];
        matches[0][0] = true;
        for (int p = 1; p <= pattern.length(); p++) {
            char c = pattern.charAt(p - 1);
            for (int t = 0; t <= text.length(); t++) {
                boolean skips = c == '%' && (matches[p - 1][t] || t > 0 && matches[p][t - 1]);
                matches[p][t] = skips || t > 0 && c != '%' && (c == '_' || c == text.charAt(t - 1))
                        && matches[p - 1][t - 1];
            }
        }
        return matches[pattern.length()][text.length()];
    }

    private static String letters(SplittableRandom random, String of, int count) {
        StringBuilder letters = new StringBuilder();
        IntStream.range(0, count).forEach(i -> letters.append(of.charAt(random.nextInt(of.length()))));
        return letters.toString();
    }
}
