package ch.ethz.mlmq.storage.postgresql.length;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
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

        assertThat(lengths(ledger.sum(before(15), null))).isEqualTo(Map.of(1, 1L, 2, -1L));
    }

    @Test
    void shouldSumUpWhatQueuesGainedAlsoBeforeTheyWereCountedAnew() {
        add(10, 1, 5);
        add(10, 3, 4);
        add(20, 1, 2);
        add(20, 2, -1);
        add(30, 1, -1);

        assertThat(gains(ledger.sum(before(15), null))).isEqualTo(Map.of(1, 7L, 2, 0L, 3, 4L));
        assertThat(lengths(ledger.sum(before(15), null))).containsEntry(3, 0L);
    }

    @Test
    void shouldTellWhatComesAndGoesInOneTransaction() {
        LengthLedger.Entry entry = new LengthLedger.Entry(10);
        entry.change(1, 1);
        entry.change(1, -1);
        entry.change(1, 1);
        ledger.add(entry);

        assertThat(lengths(ledger.sum(before(0), null))).isEqualTo(Map.of(1, 1L));
        assertThat(gains(ledger.sum(before(0), null))).isEqualTo(Map.of(1, 2L));
        assertThat(ledger.taken()).isEqualTo(1);
    }

    @Test
    void shouldKeepWhatTheDatabaseWasNotTold() {
        add(10, 1, 5);
        ledger.sum(before(0), null);
        assertThat(lengths(ledger.sum(before(0), null))).containsEntry(1, 5L);
        ledger.forget();
        add(20, 1, 1);

        assertThat(lengths(ledger.sum(before(0), null))).containsEntry(1, 1L);
    }

    @Test
    void shouldTellApartWhatCameSinceACountBegan() {
        add(10, 1, 5);
        add(20, 1, 2);

        assertThat(lengths(ledger.sum(before(0), before(15)))).containsEntry(1, 7L);
        assertThat(ledger.sum(before(0), before(15)).sinceBegun()).containsEntry(1, 2L);
    }

    @Test
    void shouldTellApartWhatASnapshotDoesNotSee() {
        add(10, 1, 5);
        add(11, 1, 2);
        add(12, 1, 1);

        assertThat(lengths(ledger.sum(Snapshot.parse("11:13:11"), null))).containsEntry(1, 2L);
    }

    @Test
    void shouldHoldOneChangeOfAQueueWhereTheDatabaseIsNotToldForLong() {
        for (int i = 1; i <= 10 * LengthLedger.MAX_ENTRIES; i++) {
            add(i, i % 3, 1);
        }
        LengthLedger.Sum sum = ledger.sum(before(0), null);

        assertThat(ledger.entries()).isLessThanOrEqualTo(LengthLedger.MAX_ENTRIES + 1);
        assertThat(lengths(sum).values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(10L * LengthLedger.MAX_ENTRIES);
        assertThat(sum.exact()).isTrue();
    }

    @Test
    void shouldSayThatACountSawAPartOfWhatWasMerged() {
        for (int i = 1; i <= 2 * LengthLedger.MAX_ENTRIES; i++) {
            add(i, 1, 1);
        }

        assertThat(ledger.sum(before(LengthLedger.MAX_ENTRIES / 2), null).exact()).isFalse();
        assertThat(ledger.sum(before(0), before(LengthLedger.MAX_ENTRIES / 2)).exact()).isFalse();
        assertThat(ledger.sum(before(3 * LengthLedger.MAX_ENTRIES), null).exact()).isTrue();
    }

    /** Sees the transactions up to this one. */
    private static Snapshot before(long transaction) {
        return new Snapshot(transaction + 1, transaction + 1, Set.of());
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
