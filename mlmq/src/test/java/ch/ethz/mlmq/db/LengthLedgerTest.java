package ch.ethz.mlmq.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LengthLedgerTest {
    private final LengthLedger ledger = new LengthLedger();

    @Test
    void shouldSumUpWhatWasNotCountedAnewMeanwhile() {
        add(10, 1, 5);
        add(20, 1, 2);
        add(20, 2, -1);
        add(30, 1, -1);

        assertThat(ledger.sum(15, 0).changes()).containsOnlyKeys(1, 2).containsEntry(1, 1L).containsEntry(2, -1L);
    }

    @Test
    void shouldKeepWhatTheDatabaseWasNotTold() {
        add(10, 1, 5);
        LengthLedger.Sum told = ledger.sum(0, 0);
        add(20, 1, 1);

        assertThat(ledger.sum(0, 0).changes()).containsEntry(1, 6L);
        ledger.forget(told);
        assertThat(ledger.sum(0, 0).changes()).containsEntry(1, 1L);
    }

    @Test
    void shouldTellApartWhatCameSinceACountBegan() {
        add(10, 1, 5);
        add(20, 1, 2);

        assertThat(ledger.sum(0, 15).changes()).containsEntry(1, 7L);
        assertThat(ledger.sum(0, 15).sinceBegun()).containsEntry(1, 2L);
    }

    private void add(long transaction, int queue, int messages) {
        LengthLedger.Entry entry = new LengthLedger.Entry(transaction);
        entry.change(queue, messages);
        ledger.add(entry);
    }
}
