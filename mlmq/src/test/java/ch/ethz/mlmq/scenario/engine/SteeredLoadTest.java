package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.engine.LoadClient.LoadRules;
import ch.ethz.mlmq.scenario.engine.Script.Event;
import ch.ethz.mlmq.scenario.engine.Script.Outcome;
import ch.ethz.mlmq.scenario.engine.Script.Rate;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.pacing.ArrivalTimes;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.MessageLedger;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Random loads, steered by random commands while connections come and go, against {@link ModelOfLoad}. */
class SteeredLoadTest {
    private static final long SCRIPTS = Long.getLong("mlmq.scripts", 500);
    private static final long FIRST = Long.getLong("mlmq.first", 1);
    /** Arrivals of the model are found by bisection. */
    private static final long TOLERANCE_NANOS = 10;

    @Test
    void shouldStartWhatTheModelStartsWhateverCommandsCome() {
        for (long seed = FIRST; seed < FIRST + SCRIPTS; seed++) {
            Script script = Script.random(seed);
            Outcome model = ModelOfLoad.of(script);

            Outcome load = new SteeredLoad(script).run();

            assertThat(load.counts()).as(script.toString()).isEqualTo(model.counts());
            assertThat(load.planned()).as(script.toString()).isCloseTo(model.planned(), within(1e-5));
            assertSame(script, load.requests(), model.requests());
        }
    }

    private static void assertSame(Script script, List<Script.Request> load, List<Script.Request> model) {
        assertThat(load).as(script.toString()).hasSameSizeAs(model);
        Comparator<Script.Request> order = Comparator.comparingInt(Script.Request::client)
                .thenComparingLong(Script.Request::ended).thenComparingLong(Script.Request::intended);
        List<Script.Request> expected = model.stream().sorted(order).toList();
        List<Script.Request> seen = load.stream().sorted(order).toList();
        for (int i = 0; i < seen.size(); i++) {
            assertThat(isSame(seen.get(i), expected.get(i))).as("%s%n%s%n%s", seen.get(i), expected.get(i), script)
                    .isTrue();
        }
    }

    private static boolean isSame(Script.Request one, Script.Request other) {
        return one.client() == other.client() && one.outcome().equals(other.outcome())
                && Math.abs(one.intended() - other.intended()) <= TOLERANCE_NANOS
                && Math.abs(one.started() - other.started()) <= TOLERANCE_NANOS
                && Math.abs(one.ended() - other.ended()) <= TOLERANCE_NANOS;
    }

    /** The load of the product in a time of its own. */
    private static final class SteeredLoad {
        private static final long START = 1_000_000_000_000L;

        private final Script script;
        private final VirtualTimers timers = new VirtualTimers();
        private final LoadControl control;
        private final Recording recording;
        private final OpenLoad open;
        private final Participants participants;
        private final List<LoadClient> clients = new ArrayList<>();
        private final List<VirtualLink> links = new ArrayList<>();
        private final List<Script.Request> requests = new ArrayList<>();
        private int taking;
        private Script.Request ending;

        private SteeredLoad(Script script) {
            this.script = script;
            control = new LoadControl(new PhasePlan(START, script.warmup(), script.duration(), script.cooldown()),
                    script.requests());
            recording = new Recording(script.open(), control::phaseAt, (action, start, end, count, service) ->
                    requests.add(new Script.Request(ending.client(), start - START, ending.started(), end - START,
                            ending.outcome())), 1, MessageLedger.counting(), () -> 1);
            open = script.open() ? open(script) : null;
            participants = new Participants(open, control, recording);
            LoadRules rules = new LoadRules(script.open(), script.inflight(), Script.MILLI,
                    new ThinkTime.Fixed(script.think()));
            for (int i = 0; i < Script.MOST_CLIENTS; i++) {
                VirtualLink link = new VirtualLink(i);
                links.add(link);
                clients.add(new LoadClient(new ClientId("Echo", 0, i), link, () -> new Request.Echo(new byte[0]), rules,
                        new LoadClient.Shared(control, recording, timers), Seeds.generator(1, 0, i)));
            }
        }

        private OpenLoad open(Script script) {
            RatePlan plan = plan(script.rate()).rest(0, script.each() ? script.clients() : 1);
            return new OpenLoad(script.random() ? ArrivalTimes.poisson(plan, Seeds.generator(script.seed(), 0, -1))
                    : ArrivalTimes.fixed(plan, 0), control, timers, script.each());
        }

        private static RatePlan plan(Rate rate) {
            return rate.from() == rate.to() ? new RatePlan.Constant(rate.from())
                    : new RatePlan.Ramp(rate.from(), rate.to(), rate.over() / 1e9);
        }

        private Outcome run() {
            taking = script.clients();
            participants.begin(clients.subList(0, taking), timers);
            script.events().forEach(event -> timers.at(START + event.at(), () -> happen(event)));
            timers.runUntilNothingIsLeft(() -> control.plan().end(), () -> {
                participants.finishWaiting();
                timers.at(timers.now + script.patience(), participants::close);
            });
            assertThat(participants.inFlight() + participants.waiting()).isZero();
            PhasePlan plan = control.plan();
            assertThat(recording.underWay(plan.measuringStart(), plan.measuringEnd())).as(script.toString())
                    .isCloseTo(underWay(plan), within(1e-5));
            return new Outcome(requests, List.of(counts(Phase.WARMUP), counts(Phase.MEASURING), counts(Phase.COOLDOWN)),
                    open == null ? 0 : open.planned(plan.measuringStart(), plan.measuringEnd()));
        }

        /** @return the mean number of requests under way while measuring, by their records */
        private double underWay(PhasePlan plan) {
            long from = plan.measuringStart() - START;
            long to = plan.measuringEnd() - START;
            return requests.stream().mapToLong(request -> Math.max(0,
                    Math.min(request.ended(), to) - Math.max(request.started(), from))).sum() / (double) (to - from);
        }

        private void happen(Event event) {
            switch (event.kind()) {
                case PAUSE -> participants.pause();
                case RESUME -> participants.resume();
                case CLIENTS -> {
                    taking = Math.max(taking, event.number());
                    participants.set(event.number(), clients.subList(0, taking));
                }
                case SHUT_DOWN -> control.shutDown(timers.now);
                case CUT -> links.get(event.number()).cut();
                case BACK -> links.get(event.number()).back(clients.get(event.number()));
                default -> {
                    if (open != null) {
                        open.rate(plan(event.rate()));
                    }
                }
            }
        }

        private String counts(Phase phase) {
            Counts counts = recording.counts(phase);
            return phase + " " + counts.started() + " started, " + counts.ok() + " ok, "
                    + counts.errors().getOrDefault("CONNECTION_LOST", 0L) + " lost, "
                    + (counts.due() - counts.started()) + " never started, " + counts.late() + " late, "
                    + counts.lateByClient() + " late by the client";
        }

        /** A connection to a server that answers each request after its own time. */
        private final class VirtualLink implements Link {
            private final int number;
            private final List<UnderWay> inFlight = new ArrayList<>();
            private boolean connected = true;
            private int begun;

            private VirtualLink(int number) {
                this.number = number;
            }

            /** A request that waits for its response. */
            private final class UnderWay {
                private final Completion completion;
                private final long sent = timers.now;

                private UnderWay(Completion completion) {
                    this.completion = completion;
                }
            }

            @Override
            public Status submit(Request request, Completion completion) {
                UnderWay submitted = new UnderWay(completion);
                inFlight.add(submitted);
                timers.at(timers.now + script.answerTime(number, begun++), () -> end(submitted, Status.OK));
                return Status.OK;
            }

            private void end(UnderWay request, Status status) {
                if (inFlight.remove(request)) {
                    ending = new Script.Request(number, 0, request.sent - START, timers.now - START, status.name());
                    request.completion.completed(0, status, status == Status.OK ? new Response.Echoed(new byte[0])
                            : null, request.sent, timers.now);
                }
            }

            private void cut() {
                connected = false;
                List.copyOf(inFlight).forEach(request -> end(request, Status.CONNECTION_LOST));
            }

            private void back(LoadClient client) {
                connected = true;
                client.wake();
            }

            @Override
            public boolean isConnected() {
                return connected;
            }

            @Override
            public String state() {
                return "";
            }

            @Override
            public CompletableFuture<Void> close() {
                return CompletableFuture.completedFuture(null);
            }
        }

        /** A virtual clock that advances when no action is due. */
        private static final class VirtualTimers implements Timers {
            private final PriorityQueue<Timer> queue = new PriorityQueue<>(
                    Comparator.comparingLong(Timer::at).thenComparingLong(Timer::order));
            private long now = START - 1_000 * Script.MILLI;
            private long order;

            /** A scheduled action. */
            private record Timer(long at, long order, Runnable action) {
            }

            @Override
            public long nanoTime() {
                return now;
            }

            @Override
            public void at(long dueNanos, Runnable action) {
                queue.add(new Timer(dueNanos, order++, action));
            }

            /** @param end when the ending is to be called, before what is to do then; may become earlier */
            private void runUntilNothingIsLeft(java.util.function.LongSupplier end, Runnable ending) {
                boolean ended = false;
                while (!queue.isEmpty() || !ended) {
                    if (!ended && (queue.isEmpty() || queue.peek().at >= end.getAsLong())) {
                        ended = true;
                        now = Math.max(now, end.getAsLong());
                        ending.run();
                    } else {
                        Timer next = queue.poll();
                        now = Math.max(now, next.at);
                        next.action.run();
                    }
                }
            }
        }
    }
}
