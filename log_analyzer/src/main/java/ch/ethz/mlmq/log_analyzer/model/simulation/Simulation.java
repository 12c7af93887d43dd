package ch.ethz.mlmq.log_analyzer.model.simulation;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A discrete-event simulation of clients, network, brokers with I/O threads and workers, their connections, and
 * databases: next-event time advance (A. M. Law, <i>Simulation Modeling and Analysis</i>, section 1.3). The same seed
 * gives the same results.
 */
public final class Simulation {
    private static final int ARRIVAL = 0;
    private static final int RECEIVED = 1;
    private static final int ASKS = 2;
    private static final int DONE = 3;
    private static final int SENT = 4;
    private static final int STOPS = 5;
    private static final int GOES_ON = 6;
    private static final int PATIENCE_ENDS = 7;
    private static final int TYPES = 3;
    private static final int NONE = Lines.NONE;
    private static final int MOST_INSIDE = 2_000_000;
    private static final double WARM_UP = 0.2;
    /**
     * Share of the requests after which the pause begins: late enough to be measured, early enough to show its effects.
     */
    private static final double PAUSE_AT = 0.4;

    /**
     * The results without the warm-up (the first fifth).
     *
     * @param throughput [1/s]
     * @param waiting    mean, for a worker [s]
     * @param batch      mean number of requests a worker took at once
     * @param recovery   from the end of the pause until no request waited for the paused part [s]; NaN without a pause,
     * or if requests waited until the end
     */
    public record Outcome(double throughput, Response response, double waiting, double batch, Busy busy,
            double recovery) {
    }

    /**
     * Response times at the clients [s].
     *
     * @param p50 with a precision of 0.4 %, like the other two
     */
    public record Response(double mean, double p50, double p99, double p999, double longest) {
    }

    /** Utilisations, 0..1; 0 if a part is not simulated. */
    public record Busy(double workers, double ioThreads, double databases) {
    }

    private final SimulatedSystem setup;
    private final SimulatedSystem.Load load;
    private final SimulatedSystem.Demands demands;
    private final Servers servers;
    private final GroupCommit batch;
    private final SplittableRandom random;
    private final boolean closed;
    private final EventCalendar calendar;
    private double now;

    private double[] arrived;
    private double[] began;
    private int[] brokerOf;
    private int[] shardOf;
    /** The next request in a broker's line, or in a batch. */
    private int[] next;
    /** The next request in any other line; for a request that an I/O thread is to take, whether it is a response. */
    private int[] behind;
    private boolean[] answered;
    private int firstFree = NONE;
    private int used;
    private final int[] freeWorkers;
    private final Lines lines;
    private final Lines pools;
    private final Lines ios;
    private final Lines shards;
    private final int[] freeConnections;
    private final int[] freeThreads;
    private final int[] freeServers;
    private final boolean[] stopped;
    /**
     * For each broker's line if workers take batches: number of waiting requests, start of the last batch, and who
     * waits for it.
     */
    private final int[] waiting;
    private final double[] lastBegan;
    private final boolean[] patient;

    private final ResponseCounts responses = new ResponseCounts();
    private double from;
    private double waits;
    private double busy;
    private double ioBusy;
    private double databaseBusy;
    private long batches;
    private double wentOn = Double.NaN;
    private double recovery = Double.NaN;

    private Simulation(SimulatedSystem setup, long seed) {
        this.setup = setup;
        load = setup.load();
        demands = setup.demands();
        servers = setup.servers();
        batch = setup.batch();
        random = new SplittableRandom(seed);
        closed = load.clients() > 0;
        int room = Math.max(load.clients(), 1024);
        arrived = new double[room];
        began = new double[room];
        brokerOf = new int[room];
        shardOf = new int[setup.shards() == null ? 0 : room];
        next = new int[room];
        behind = new int[room];
        answered = new boolean[setup.io() == null ? 0 : room];
        int databases = setup.shards() == null ? 0 : setup.shards().count();
        int brokers = servers.brokers();
        lines = new Lines(brokers);
        pools = new Lines(brokers);
        ios = new Lines(brokers);
        shards = new Lines(databases);
        freeWorkers = filled(brokers, setup.holders());
        waiting = new int[brokers];
        lastBegan = new double[brokers];
        patient = new boolean[brokers];
        freeConnections = filled(brokers, servers.pool());
        freeThreads = filled(brokers, setup.io() == null ? 0 : setup.io().threads());
        freeServers = filled(databases, databases == 0 ? 0 : setup.shards().servers());
        stopped = new boolean[Math.max(brokers, databases)];
        calendar = new EventCalendar(room, gap());
    }

    /** @return approximate mean time between two events [s] */
    private double gap() {
        return closed ? (load.think().mean() + demands.network().mean() + demands.worker().mean()
                + demands.database().mean()) / load.clients() / 2 : 1 / load.rate() / 2;
    }

    /** @param requests to simulate, including the warm-up */
    public static Outcome run(SimulatedSystem setup, long requests, long seed) {
        setup.refuseOverload();
        return new Simulation(setup, seed).run(requests);
    }

    private Outcome run(long requests) {
        begin();
        long warm = (long) (requests * WARM_UP);
        long pause = setup.pause() > 0 ? (long) (requests * PAUSE_AT) : Long.MAX_VALUE;
        long done = 0;
        boolean warming = true;
        while (done < requests) {
            done += step();
            if (warming && done >= warm) {
                warming = false;
                reset();
            }
            if (done >= pause) {
                pause = Long.MAX_VALUE;
                schedule(now, STOPS, 0);
                schedule(now + setup.pause(), GOES_ON, 0);
            }
        }
        return outcome();
    }

    private void begin() {
        if (!closed) {
            schedule(exponential(1 / load.rate()), ARRIVAL, 0);
        }
        for (int client = 0; client < load.clients(); client++) {
            // Starts are spread over a round, so that clients are not in step.
            schedule(random.nextDouble() * (load.think().mean() + demands.network().mean()), ARRIVAL, client);
        }
    }

    /** Executes the next event. @return number of requests that it completed */
    private int step() {
        int event = calendar.take();
        now = calendar.time();
        int id = event >> TYPES;
        switch (event & (1 << TYPES) - 1) {
            case ARRIVAL -> arrive(id);
            case RECEIVED -> {
                threadIsFree(id);
                join(id);
            }
            case ASKS -> ask(id);
            case DONE -> {
                return complete(id);
            }
            case SENT -> {
                threadIsFree(id);
                answer(id);
            }
            case STOPS -> stopped[0] = true;
            case PATIENCE_ENDS -> {
                patient[id] = false;
                begin(id);
            }
            default -> goOn();
        }
        return 0;
    }

    private Outcome outcome() {
        double span = now - from;
        int threads = setup.io() == null ? 1 : setup.io().threads() * servers.brokers();
        int databases = setup.shards() == null ? 1 : setup.shards().servers() * setup.shards().count();
        double measured = responses.measured();
        Response response = new Response(responses.mean(), responses.percentile(0.5), responses.percentile(0.99),
                responses.percentile(0.999), responses.longest());
        Busy shares = new Busy(busy / span / setup.holders() / servers.brokers(), ioBusy / span / threads,
                databaseBusy / span / databases);
        return new Outcome(measured / span, response, waits / measured, measured / Math.max(1, batches), shares,
                recovery);
    }

    private void reset() {
        from = now;
        responses.clear();
        waits = 0;
        busy = 0;
        ioBusy = 0;
        databaseBusy = 0;
        batches = 0;
    }

    private void arrive(int client) {
        int id = client;
        if (!closed) {
            id = takeRoom();
            schedule(now + exponential(1 / load.rate()), ARRIVAL, 0);
        }
        brokerOf[id] = oneOf(servers.brokers());
        arrived[id] = now;
        if (setup.io() == null) {
            join(id);
        } else {
            // The request waits in the socket until a thread has read it.
            answered[id] = false;
            ask(ios, freeThreads, brokerOf[id], id);
        }
    }

    /** Adds the request to the line of its broker. */
    private void join(int id) {
        int broker = brokerOf[id];
        began[id] = now;
        lines.join(broker, id, next);
        waiting[broker]++;
        begin(broker);
    }

    /** Lets free workers take batches as long as that is worthwhile. */
    private void begin(int broker) {
        while (freeWorkers[broker] > 0 && !lines.isEmpty(broker) && !(stopped[broker] && setup.shards() == null)) {
            boolean isAlone = freeWorkers[broker] == setup.holders();
            if (batch != null && !isAlone && !batch.isWorthwhile(waiting[broker], now - lastBegan[broker])) {
                if (!patient[broker]) {
                    patient[broker] = true;
                    schedule(lastBegan[broker] + GroupCommit.PATIENCE, PATIENCE_ENDS, broker);
                }
                return;
            }
            freeWorkers[broker]--;
            work(broker);
        }
    }

    /** Lets a worker take as many requests as it may from the line, which is not empty. */
    private void work(int broker) {
        int first = lines.head[broker];
        int last = first;
        waits += now - began[first];
        int taken = 1;
        int most = batch == null ? 1 : batch.most();
        while (taken < most && next[last] != NONE) {
            last = next[last];
            waits += now - began[last];
            taken++;
        }
        lines.head[broker] = next[last];
        if (lines.head[broker] == NONE) {
            lines.tail[broker] = NONE;
        }
        next[last] = NONE;
        began[first] = now;
        waiting[broker] -= taken;
        lastBegan[broker] = now;
        batches++;
        double time = batch == null ? demands.worker().next(random) : batchTime(taken);
        if (connectionsAreShort()) {
            schedule(now + (batch == null ? time : time * (1 - setup.shards().share())), ASKS, first);
        } else {
            schedule(now + (batch == null ? time + demands.database().next(random) : time), DONE, first);
        }
    }

    private boolean connectionsAreShort() {
        return setup.shards() != null || batch == null && servers.pool() < servers.workers();
    }

    /** Lets a worker wait for a connection. */
    private void ask(int id) {
        int broker = brokerOf[id];
        if (freeConnections[broker] > 0) {
            freeConnections[broker]--;
            connect(id);
        } else {
            pools.join(broker, id, behind);
        }
    }

    private void connect(int id) {
        if (setup.shards() == null) {
            schedule(now + databaseTime(id), DONE, id);
            return;
        }
        int shard = oneOf(setup.shards().count());
        shardOf[id] = shard;
        if (freeServers[shard] > 0 && !stopped[shard]) {
            freeServers[shard]--;
            execute(id);
        } else {
            shards.join(shard, id, behind);
        }
    }

    private void execute(int id) {
        double time = databaseTime(id);
        databaseBusy += time;
        schedule(now + time, DONE, id);
    }

    private double databaseTime(int id) {
        int taken = 1;
        for (int at = next[id]; at != NONE; at = next[at]) {
            taken++;
        }
        return batch == null ? demands.database().next(random) : setup.shards().share() * batchTime(taken);
    }

    private double batchTime(int taken) {
        double time = batch.time(taken);
        Times spread = setup.batches().spread();
        return spread == null ? time : time * spread.next(random);
    }

    private int complete(int first) {
        int broker = brokerOf[first];
        busy += now - Math.max(began[first], from);
        if (setup.shards() != null) {
            int shard = shardOf[first];
            if (shards.isEmpty(shard) || stopped[shard]) {
                freeServers[shard]++;
                recovered(shard, shards.isEmpty(shard));
            } else {
                execute(shards.leave(shard, behind));
            }
        }
        if (connectionsAreShort()) {
            if (pools.isEmpty(broker)) {
                freeConnections[broker]++;
            } else {
                connect(pools.leave(broker, behind));
            }
        }
        int done = 0;
        for (int id = first; id != NONE;) {
            int following = next[id];
            if (setup.io() == null) {
                answer(id);
            } else {
                answered[id] = true;
                ask(ios, freeThreads, broker, id);
            }
            id = following;
            done++;
        }
        freeWorkers[broker]++;
        begin(broker);
        if (setup.shards() == null) {
            recovered(broker, lines.isEmpty(broker));
        }
        return done;
    }

    /** Records the first time at which no request waits for the paused part. */
    private void recovered(int which, boolean nobodyWaits) {
        if (which == 0 && nobodyWaits && !stopped[0] && !Double.isNaN(wentOn) && Double.isNaN(recovery)) {
            recovery = now - wentOn;
        }
    }

    private void goOn() {
        stopped[0] = false;
        wentOn = now;
        if (setup.shards() == null) {
            begin(0);
        } else {
            while (freeServers[0] > 0 && !shards.isEmpty(0)) {
                freeServers[0]--;
                execute(shards.leave(0, behind));
            }
        }
    }

    /** Sends a response: the client has it after the network's time, and sends its next request after thinking. */
    private void answer(int id) {
        double network = demands.network().next(random);
        responses.add(now - arrived[id] + network);
        if (closed) {
            schedule(now + network + load.think().next(random), ARRIVAL, id);
        } else {
            next[id] = firstFree;
            firstFree = id;
        }
    }

    /** Lets an I/O thread take the request or response, now or when one is free. */
    private void ask(Lines line, int[] free, int broker, int id) {
        if (free[broker] > 0) {
            free[broker]--;
            transfer(id);
        } else {
            line.join(broker, id, behind);
        }
    }

    private void transfer(int id) {
        boolean answer = answered[id];
        double time = (answer ? setup.io().send() : setup.io().receive()).next(random);
        ioBusy += time;
        schedule(now + time, answer ? SENT : RECEIVED, id);
    }

    private void threadIsFree(int id) {
        int broker = brokerOf[id];
        if (ios.isEmpty(broker)) {
            freeThreads[broker]++;
        } else {
            transfer(ios.leave(broker, behind));
        }
    }

    /** Works like {@link SplittableRandom#nextInt(int)}, without its division; uneven by less than one in a million. */
    private int oneOf(int count) {
        return count == 1 ? 0 : (int) ((random.nextInt() & 0xffffffffL) * count >>> Integer.SIZE);
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    /** @return room for a request of open arrivals */
    private int takeRoom() {
        if (firstFree != NONE) {
            int id = firstFree;
            firstFree = next[id];
            return id;
        }
        if (used == MOST_INSIDE) {
            throw new DataException("More than %d requests wait: the queue grows. Give a lower rate."
                    .formatted(MOST_INSIDE));
        }
        if (used == arrived.length) {
            int room = used * 2;
            arrived = Arrays.copyOf(arrived, room);
            began = Arrays.copyOf(began, room);
            brokerOf = Arrays.copyOf(brokerOf, room);
            next = Arrays.copyOf(next, room);
            behind = Arrays.copyOf(behind, room);
            shardOf = setup.shards() == null ? shardOf : Arrays.copyOf(shardOf, room);
            answered = setup.io() == null ? answered : Arrays.copyOf(answered, room);
        }
        return used++;
    }

    private void schedule(double time, int type, int id) {
        calendar.add(time, id << TYPES | type);
    }

    private static int[] filled(int length, int value) {
        int[] array = new int[length];
        Arrays.fill(array, value);
        return array;
    }
}
