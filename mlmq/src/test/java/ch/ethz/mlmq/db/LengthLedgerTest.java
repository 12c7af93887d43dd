package ch.ethz.mlmq.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LengthLedgerTest {
    private final LengthLedger ledger = new LengthLedger();

    @Test
    void shouldSumUpWhatWasNotCountedAnewMeanwhile() {
        add(10, 1, 5);
        add(20, 1, 2);
        add(20, 2, -1);
        add(30, 1, -1);

        assertThat(lengths(ledger.sum(15, 0))).isEqualTo(Map.of(1, 1L, 2, -1L));
    }

    @Test
    void shouldSumUpWhatQueuesGainedAlsoBeforeTheyWereCountedAnew() {
        add(10, 1, 5);
        add(10, 3, 4);
        add(20, 1, 2);
        add(20, 2, -1);
        add(30, 1, -1);

        assertThat(gains(ledger.sum(15, 0))).isEqualTo(Map.of(1, 7L, 2, 0L, 3, 4L));
        assertThat(lengths(ledger.sum(15, 0))).containsEntry(3, 0L);
    }

    @Test
    void shouldTellWhatComesAndGoesInOneTransaction() {
        LengthLedger.Entry entry = new LengthLedger.Entry(10);
        entry.change(1, 1);
        entry.change(1, -1);
        entry.change(1, 1);
        ledger.add(entry);

        assertThat(lengths(ledger.sum(0, 0))).isEqualTo(Map.of(1, 1L));
        assertThat(gains(ledger.sum(0, 0))).isEqualTo(Map.of(1, 2L));
        assertThat(ledger.taken()).isEqualTo(1);
    }

    @Test
    void shouldKeepWhatTheDatabaseWasNotTold() {
        add(10, 1, 5);
        LengthLedger.Sum told = ledger.sum(0, 0);
        add(20, 1, 1);

        assertThat(lengths(ledger.sum(0, 0))).containsEntry(1, 6L);
        ledger.forget(told);
        assertThat(lengths(ledger.sum(0, 0))).containsEntry(1, 1L);
    }

    @Test
    void shouldTellApartWhatCameSinceACountBegan() {
        add(10, 1, 5);
        add(20, 1, 2);

        assertThat(lengths(ledger.sum(0, 15))).containsEntry(1, 7L);
        assertThat(ledger.sum(0, 15).sinceBegun()).containsEntry(1, 2L);
    }

    private static Map<Integer, Long> lengths(LengthLedger.Sum sum) {
        return values(sum, LengthLedger.Change::messages);
    }

    private static Map<Integer, Long> gains(LengthLedger.Sum sum) {
        return values(sum, LengthLedger.Change::gained);
    }

    private static Map<Integer, Long> values(LengthLedger.Sum sum, ToLongFunction<LengthLedger.Change> value) {
        return sum.changes().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, change -> value.applyAsLong(change.getValue())));
    }

    private void add(long transaction, int queue, int messages) {
        LengthLedger.Entry entry = new LengthLedger.Entry(transaction);
        entry.change(queue, messages);
        ledger.add(entry);
    }
}
