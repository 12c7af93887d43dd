package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.engine.Script.Event;
import ch.ethz.mlmq.scenario.engine.Script.Outcome;
import ch.ethz.mlmq.scenario.engine.Script.Rate;
import ch.ethz.mlmq.scenario.engine.Script.Request;
import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * The definition of a load (docs/reference/scenarios.md) written down a second time, as simply as it goes: all arrivals
 * beforehand from the rate over time, then one event after the other.
 */
final class ModelOfLoad {
    private static final long LATE_AFTER = Script.MILLI;

    private final Script script;
    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::at).thenComparingLong(Step::order));
    private final List<Client> clients = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final List<Long> late = new ArrayList<>();
    private final List<Long> started = new ArrayList<>();
    private final List<Long> neverStarted = new ArrayList<>();
    private final List<Double> ends = new ArrayList<>();
    private long order;
    private long warmupEnd;
    private long measuringEnd;
    private long end;
    private long left;
    private int taking;
    private int dealt;
    private boolean paused;
    private boolean closed;

    /** An action at a time. */
    private record Step(long at, long order, Runnable action) {
    }

    /** A client and its connection. */
    private final class Client {
        private final int number;
        private final Deque<Long> due = new ArrayDeque<>();
        private final List<Request> inFlight = new ArrayList<>();
        private boolean active;
        private boolean connected = true;
        private int thinking;
        private int turn;
        private int begun;

        private Client(int number) {
            this.number = number;
        }

        private void join(long now) {
            if (!active) {
                active = true;
                turn++;
                thinking = 0;
            }
            startWhatMay(now);
        }

        private void startWhatMay(long now) {
            while (active && connected && !paused && !closed && inFlight.size() + thinking < script.inflight()
                    && (script.open() ? !due.isEmpty() : takesLeave(now))) {
                start(script.open() ? due.poll() : now, now);
            }
        }

        /**
         * Asks for permission; a client that is too late for the last request of measuring asks again, in one of the
         * next phases.
         */
        private boolean takesLeave(long now) {
            boolean leave = takeLeave(now);
            if (!leave && now < end) {
                step(now + 10 * Script.MILLI, () -> startWhatMay(now + 10 * Script.MILLI));
            }
            return leave;
        }

        private void start(long intended, long now) {
            started.add(intended);
            if (now - intended > LATE_AFTER) {
                late.add(intended);
            }
            Request request = new Request(number, intended, now, now + script.answerTime(number, begun++), "OK");
            inFlight.add(request);
            step(request.ended(), () -> {
                if (inFlight.contains(request)) {
                    end(request, request.ended());
                }
            });
        }

        private void end(Request request, long now) {
            inFlight.remove(request);
            requests.add(request);
            if (!script.open() && script.think() > 0) {
                thinking++;
                int thoughtIn = turn;
                step(now + script.think(), () -> {
                    if (thoughtIn == turn) {
                        thinking--;
                        startWhatMay(now + script.think());
                    }
                });
            } else {
                startWhatMay(now);
            }
        }

        private void cut(long now) {
            connected = false;
            for (Request lost : List.copyOf(inFlight)) {
                end(new Request(number, lost.intended(), lost.started(), now, "CONNECTION_LOST"), lost, now);
            }
        }

        private void end(Request as, Request request, long now) {
            inFlight.remove(request);
            end(as, now);
        }
    }

    private ModelOfLoad(Script script) {
        this.script = script;
        this.warmupEnd = script.warmup();
        this.measuringEnd = warmupEnd + script.duration();
        this.end = measuringEnd + script.cooldown();
        this.left = script.requests() == 0 ? Long.MAX_VALUE : script.requests();
        this.taking = script.clients();
        for (int i = 0; i < Script.MOST_CLIENTS; i++) {
            clients.add(new Client(i));
        }
    }

    static Outcome of(Script script) {
        return new ModelOfLoad(script).run();
    }

    private Outcome run() {
        step(0, () -> clients.subList(0, taking).forEach(client -> client.join(0)));
        List<double[]> pieces = script.open() ? pieces() : List.of();
        arrivals(pieces).forEach(at -> step(at, () -> arrive(at)));
        script.events().forEach(event -> step(event.at(), () -> happen(event)));
        boolean finished = false;
        while (!steps.isEmpty() || !finished) {
            if (!finished && (steps.isEmpty() || steps.peek().at() >= end)) {
                finished = true;
                paused = false;
                long now = end;
                clients.forEach(client -> client.startWhatMay(now));
                step(now + script.patience(), this::giveUp);
            } else {
                steps.poll().action().run();
            }
        }
        double planned = area(pieces, measuringEnd) - area(pieces, warmupEnd);
        return new Outcome(requests, counts(), script.open() ? planned : 0);
    }

    private void step(long at, Runnable action) {
        steps.add(new Step(at, order++, action));
    }

    private void arrive(long at) {
        if (at < end) {
            takeLeave(at);
            Client client = clients.get(dealt++ % taking);
            client.due.add(at);
            client.startWhatMay(at);
        }
    }

    /** @return whether a request that was to start at that time may */
    private boolean takeLeave(long at) {
        boolean measuring = at >= warmupEnd && at < measuringEnd;
        if (at >= end || measuring && left == 0) {
            return false;
        }
        if (measuring && --left == 0) {
            end = Math.min(end, at + 1 + script.cooldown());
            measuringEnd = at + 1;
        }
        return true;
    }

    private void happen(Event event) {
        long now = event.at();
        switch (event.kind()) {
            case PAUSE -> paused = true;
            case RESUME -> {
                paused = false;
                clients.forEach(client -> client.startWhatMay(now));
            }
            case CLIENTS -> take(event.number(), now);
            case SHUT_DOWN -> shutDown(now);
            case CUT -> clients.get(event.number()).cut(now);
            case BACK -> {
                clients.get(event.number()).connected = true;
                clients.get(event.number()).startWhatMay(now);
            }
            default -> { }
        }
    }

    private void take(int count, long now) {
        taking = count;
        if (now < 0) {
            return;
        }
        clients.subList(0, count).forEach(client -> client.join(now));
        List<Long> left = new ArrayList<>();
        for (Client leaving : clients.subList(count, clients.size())) {
            leaving.active = false;
            left.addAll(leaving.due);
            leaving.due.clear();
        }
        for (int i = 0; i < left.size(); i++) {
            clients.get(i % count).due.add(left.get(i));
            clients.get(i % count).startWhatMay(now);
        }
    }

    private void shutDown(long now) {
        warmupEnd = Math.min(warmupEnd, now);
        measuringEnd = Math.min(measuringEnd, Math.max(warmupEnd + 1, now));
        end = Math.min(end, Math.max(measuringEnd, now));
    }

    private void giveUp() {
        closed = true;
        for (Client client : clients) {
            neverStarted.addAll(client.due);
            client.due.clear();
        }
    }

    /** @return stretches of time in which the rate is a straight line: from, to [ns], first and last rate [1/s] */
    private List<double[]> pieces() {
        List<double[]> pieces = new ArrayList<>();
        Rate rate = script.rate();
        long since = 0;
        long at = 0;
        int count = script.clients();
        boolean standing = false;
        List<Event> events = new ArrayList<>(script.events());
        events.add(new Event(script.warmup() + script.duration() + script.cooldown(), Script.Kind.SHUT_DOWN, 0, null));
        for (Event event : events) {
            double factor = standing ? 0 : script.each() ? count : 1;
            long until = Math.max(0, event.at());
            long rampEnd = Math.max(at, Math.min(until, since + rate.over()));
            pieces.add(piece(rate, since, at, rampEnd, factor));
            pieces.add(piece(rate, since, rampEnd, Math.max(rampEnd, until), factor));
            at = Math.max(at, until);
            switch (event.kind()) {
                case PAUSE -> standing = true;
                case RESUME -> standing = false;
                case CLIENTS -> count = event.number();
                case RATE -> {
                    rate = event.rate();
                    since = until;
                }
                default -> { }
            }
        }
        return pieces;
    }

    private static double[] piece(Rate rate, long since, long from, long to, double factor) {
        return new double[] {from, to, factor * rateAt(rate, from - since), factor * rateAt(rate, to - since)};
    }

    private static double rateAt(Rate rate, long nanos) {
        return rate.from() + (rate.to() - rate.from()) * Math.min(1, (double) nanos / rate.over());
    }

    /** @return how many arrivals the rate over time comes to until an instant */
    private static double area(List<double[]> pieces, double until) {
        double area = 0;
        for (double[] piece : pieces) {
            double to = Math.min(piece[1], until);
            if (to > piece[0]) {
                double last = piece[2] + (piece[3] - piece[2]) * (to - piece[0]) / (piece[1] - piece[0]);
                area += (piece[2] + last) / 2 * (to - piece[0]) / 1e9;
            }
        }
        return area;
    }

    private List<Long> arrivals(List<double[]> pieces) {
        List<Long> times = new ArrayList<>();
        long last = script.warmup() + script.duration() + script.cooldown();
        double all = area(pieces, last);
        RandomGenerator random = Seeds.generator(script.seed(), 0, -1);
        for (double sum = script.random() ? gap(random) : 0; sum < all; sum += script.random() ? gap(random) : 1) {
            double from = 0;
            double to = last;
            while (to - from > 0.1) {
                double middle = (from + to) / 2;
                // The first one is not to come in a pause that was there before the start.
                if (area(pieces, middle) < Math.max(sum, Double.MIN_VALUE)) {
                    from = middle;
                } else {
                    to = middle;
                }
            }
            times.add(Math.round(to));
        }
        return times;
    }

    private static double gap(RandomGenerator random) {
        return -Math.log1p(-random.nextDouble());
    }

    private List<String> counts() {
        List<String> counts = new ArrayList<>();
        counts.add(counts("WARMUP", Long.MIN_VALUE, warmupEnd));
        counts.add(counts("MEASURING", warmupEnd, measuringEnd));
        counts.add(counts("COOLDOWN", measuringEnd, Long.MAX_VALUE));
        return counts;
    }

    private String counts(String phase, long from, long to) {
        return phase + " " + within(started, from, to) + " started, "
                + within(ended("OK"), from, to) + " ok, " + within(ended("CONNECTION_LOST"), from, to) + " lost, "
                + within(neverStarted, from, to) + " never started, "
                + (within(late, from, to) + within(neverStarted, from, to)) + " late, 0 late by the client";
    }

    private List<Long> ended(String outcome) {
        return requests.stream().filter(request -> request.outcome().equals(outcome)).map(Request::intended).toList();
    }

    private static long within(List<Long> times, long from, long to) {
        return times.stream().filter(time -> time >= from && time < to).count();
    }
}
