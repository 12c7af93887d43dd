package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.engine.LoadClient.LoadRules;
import ch.ethz.mlmq.scenario.pacing.ArrivalTimes;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.MessageLedger;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenLoadTest {
    private static final long SECOND = 1_000_000_000;
    private static final long LATE_AFTER = SECOND / 2;

    private final MemoryBroker broker = new MemoryBroker();
    private final Pacer pacer = new Pacer();
    private final LoadControl control =
            new LoadControl(new PhasePlan(System.nanoTime() - 5 * SECOND, 0, 2 * SECOND, 0), 0);
    private final Recording recording =
            new Recording(true, nanos -> Phase.MEASURING, Recorder.NONE, 0, MessageLedger.counting(), () -> 1);
    private final LoadClient client = client(control);
    private final OpenLoad load =
            new OpenLoad(ArrivalTimes.fixed(new RatePlan.Constant(100), 0), control, pacer, false);

    @AfterEach
    void close() {
        pacer.close();
        broker.close();
    }

    @Test
    void shouldDealEveryArrivalOfThePlanThoughThePacerIsMuchTooLate() {
        pacer.close();
        load.begin(List.of(client));

        load.finish();

        assertThat(client.waiting()).as("200 arrivals of 2 s that were over before the pacer looked").isEqualTo(200);
    }

    @Test
    void shouldTakeALatePacerForTheClientsFault() throws Exception {
        pacer.close();
        load.begin(List.of(client));
        client.join();

        load.finish();

        Counts counts = recording.counts(Phase.MEASURING);
        LoadRunTest.await(() -> counts.started() == 200);
        assertThat(counts.late()).isEqualTo(200);
        assertThat(counts.lateByClient()).isEqualTo(200);
    }

    @Test
    void shouldNotTakeABrokerThatStandsStillForTheClientsFault() throws Exception {
        LoadClient client = client(new LoadControl(new PhasePlan(System.nanoTime(), 0, 60 * SECOND, 0), 0));
        broker.stop();
        client.join();
        long last = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            client.arrive(last);
        }
        LoadRunTest.await(() -> System.nanoTime() - last > LATE_AFTER);

        broker.goOn();

        Counts counts = recording.counts(Phase.MEASURING);
        LoadRunTest.await(() -> counts.started() == 10);
        assertThat(counts.late()).isEqualTo(9);
        assertThat(counts.lateByClient()).isZero();
    }

    @Test
    void shouldDealNothingMoreWhereTheLoadEndsWhilePaused() {
        pacer.close();
        load.begin(List.of(client));
        control.pause(true);

        load.finish();

        assertThat(client.waiting()).isZero();
    }

    @Test
    void shouldDealLateArrivalsBeforeTheRateChanges() {
        pacer.close();
        load.begin(List.of(client));

        load.rate(new RatePlan.Constant(1));

        assertThat(client.waiting()).as("200 arrivals of 2 s, planned before the change").isEqualTo(200);
    }

    @Test
    void shouldDealLateArrivalsBeforeClientsJoin() {
        OpenLoad load = new OpenLoad(ArrivalTimes.fixed(new RatePlan.Constant(100), 0), control, pacer, true);
        pacer.close();
        load.begin(List.of(client));

        load.clients(List.of(client, client(control)));

        assertThat(client.waiting()).as("200 arrivals of 2 s, planned before the change").isEqualTo(200);
    }

    @Test
    void shouldDealNothingOfAPauseWhenPausedOnceMore() throws Exception {
        LoadControl control = new LoadControl(new PhasePlan(System.nanoTime(), 0, 60 * SECOND, 0), 0);
        OpenLoad load = new OpenLoad(ArrivalTimes.fixed(new RatePlan.Constant(1_000), 0), control, pacer, false);
        load.begin(List.of(client));
        load.pause();
        control.pause(true);
        int dealt = client.waiting();
        long paused = System.nanoTime();
        LoadRunTest.await(() -> System.nanoTime() - paused > SECOND / 10);

        load.pause();

        assertThat(client.waiting()).isEqualTo(dealt);
    }

    @Test
    void shouldHaveOthersStartWhatWaitsAtAClientThatLeaves() throws Exception {
        LoadControl control = new LoadControl(new PhasePlan(System.nanoTime(), 0, 60 * SECOND, 0), 0);
        LoadClient leaving = client(control);
        LoadClient staying = client(control);
        broker.stop();
        leaving.join();
        staying.join();
        for (int i = 0; i < 100; i++) {
            leaving.arrive(System.nanoTime());
        }

        leaving.leave().forEach(staying::arrive);
        broker.goOn();

        Counts counts = recording.counts(Phase.MEASURING);
        LoadRunTest.await(() -> counts.started() == 100);
        assertThat(counts.lateByClient()).isZero();
    }

    @Test
    void shouldLimitRequestsInFlightOfAClientThatJoinsAgain() throws Exception {
        LoadClient client = client(new LoadControl(new PhasePlan(System.nanoTime(), 0, 60 * SECOND, 0), 0),
                new LoadRules(false, 1, LATE_AFTER, new ThinkTime.Fixed(SECOND / 5)));
        Counts counts = recording.counts(Phase.MEASURING);
        for (int turn = 1; turn <= 5; turn++) {
            int begun = turn;
            client.join();
            LoadRunTest.await(() -> counts.started() >= begun && client.inFlight() == 0);
            client.leave();
        }
        broker.stop();
        client.join();
        long joined = System.nanoTime();
        LoadRunTest.await(() -> System.nanoTime() - joined > SECOND / 2);

        assertThat(client.inFlight()).isEqualTo(1);
        broker.goOn();
    }

    /** Starts nothing before it joins. */
    private LoadClient client(LoadControl control) {
        return client(control, new LoadRules(true, 1, LATE_AFTER, new ThinkTime.Fixed(0)));
    }

    private LoadClient client(LoadControl control, LoadRules rules) {
        ClientId id = new ClientId("Echo", 0, 0);
        Behaviour echo = () -> new Request.Echo(new byte[0]);
        return new LoadClient(id, broker.open(id, () -> { }), echo, rules,
                new LoadClient.Shared(control, recording, pacer), Seeds.generator(1, 0, 0));
    }
}
