package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Runs a small part of {@code bench/coverage}. */
class CoverageTest {
    private static final int RUNS = 60;

    private final Coverage coverage = new Coverage(2_000, 30, RUNS, 7);

    @Test
    void shouldHoldTheTruthAsOftenAsPromisedWhateverTheLaw() {
        for (CoverageLaw law : new CoverageLaw[] {CoverageLaw.INDEPENDENT, CoverageLaw.STALLS, CoverageLaw.SLOW_1}) {
            Coverage.Result result = coverage.of(law);

            result.alone().forEach((figure, count) ->
                    assertThat(count.wrong()).as("%s, %s", law, figure).isLessThan(12));
            assertThat(result.alone().get(Coverage.Figure.P99).wrong()).as("%s, p99", law).isLessThan(7);
            assertThat(result.alone().get(Coverage.Figure.MEAN).untold()).as("%s", law).isLessThan(10);
            assertThat(Coverage.worst(result.two(), Coverage.Count::wrong)).as("%s, two runs", law).isLessThan(12);
            result.repeated().forEach((repetitions, counts) -> assertThat(Coverage.worst(counts,
                    Coverage.Count::wrong)).as("%s, %s repetitions", law, repetitions).isLessThan(9));
        }
    }

    @Test
    void shouldHoldHighPercentilesInMostOfTheIntervalsThatThereAre() {
        for (CoverageLaw law : new CoverageLaw[] {CoverageLaw.STALLS, CoverageLaw.SLOW_1, CoverageLaw.SLOW_3}) {
            Coverage.Count p95 = coverage.of(law).alone().get(Coverage.Figure.P95);

            assertThat(p95.untold()).as("%s", law).isLessThan(10);
            assertThat(p95.covered()).as("%s", law).isGreaterThan(88);
        }
    }
}
