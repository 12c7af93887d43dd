package ch.ethz.mlmq.log_analyzer.model;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A discrete-event simulation of clients, network, brokers with workers, and their connections to a database:
 * next-event time advance (A. M. Law, <i>Simulation Modeling and Analysis</i>, section 1.3). The same seed gives the
 * same figures.
 */
public final class Simulation {
    private static final int ARRIVAL = 0;
    private static final int POOL = 1;
    private static final int DONE = 2;
    private static final int TYPES = 2;
    private static final int NONE = -1;
    private static final int MOST_INSIDE = 2_000_000;
    private static final double WARM_UP = 0.2;
    /** Of a double, so that response times are counted to 0.4 %. */
    private static final int PRECISION = 44;
    private static final int LOWEST = (int) (Double.doubleToRawLongBits(1e-9) >>> PRECISION);
    private static final int HIGHEST = (int) (Double.doubleToRawLongBits(1e6) >>> PRECISION);

    /**
     * What is simulated.
     *
     * @param clients  that wait for answers; 0 for open arrivals
     * @param rate     of open arrivals, Poisson [1/s]
     * @param think    between an answer and the next request
     * @param network  outside of the broker, both ways
     * @param worker   of a worker for a request, without the database
     * @param database of a connection for a request
     * @param workers  of each broker
     * @param pool     connections of each broker
     * @param brokers  that take an equal share of the requests, at random
     * @param batch    what a batch takes, database included; null for one request at a time
     */
    public record Setup(int clients, double rate, Times think, Times network, Times worker, Times database, int workers,
            int pool, int brokers, Batch batch) {
    }

    /** A batch of n takes a + b n. @param fixed a [s] @param each b [s] @param most requests in it */
    public record Batch(double fixed, double each, int most) {
    }

    /**
     * What came out, without the warm-up (the first fifth).
     *
     * @param throughput [1/s]
     * @param response   mean, as the clients see it [s]
     * @param waiting    mean, for a worker [s]
     * @param p50        of the response [s], to 0.4 %, as the other two
     * @param busy       share of the workers' time, 0..1
     * @param batch      mean number of requests a worker took at once
     */
    public record Outcome(double throughput, double response, double waiting, double p50, double p99, double p999,
            double busy,
            double batch) {
    }

    private final Setup setup;
    private final SplittableRandom random;
    private double[] times;
    private int[] events;
    private int size;
    private double now;

    private double[] arrived;
    private double[] began;
    private int[] brokerOf;
    private int[] next;
    private int firstFree = NONE;
    private int used;
    private final int[] head;
    private final int[] tail;
    private final int[] poolHead;
    private final int[] poolTail;
    private final int[] freeWorkers;
    private final int[] freeConnections;

    private final long[] counts = new long[HIGHEST - LOWEST + 1];
    private double from;
    private long measured;
    private double responses;
    private double waits;
    private double busy;
    private long batches;

    private Simulation(Setup setup, long seed) {
        this.setup = setup;
        random = new SplittableRandom(seed);
        int room = Math.max(setup.clients(), 1024);
        arrived = new double[room];
        began = new double[room];
        brokerOf = new int[room];
        next = new int[room];
        times = new double[room + setup.brokers() * setup.workers() + 2];
        events = new int[times.length];
        head = filled(setup.brokers(), NONE);
        tail = filled(setup.brokers(), NONE);
        poolHead = filled(setup.brokers(), NONE);
        poolTail = filled(setup.brokers(), NONE);
        freeWorkers = filled(setup.brokers(), setup.workers());
        freeConnections = filled(setup.brokers(), setup.pool());
    }

    /** @param requests to simulate, warm-up included */
    public static Outcome run(Setup setup, long requests, long seed) {
        if (setup.clients() == 0) {
            double each = setup.batch() == null ? setup.worker().mean() + setup.database().mean()
                    : setup.batch().fixed() / setup.batch().most() + setup.batch().each();
            Arrivals.stable(setup.rate() * each / setup.workers() / setup.brokers());
            if (setup.batch() == null) {
                Arrivals.stable(Math.max(Double.MIN_NORMAL,
                        setup.rate() * setup.database().mean() / setup.pool() / setup.brokers()));
            }
        }
        return new Simulation(setup, seed).run(requests);
    }

    private Outcome run(long requests) {
        if (setup.clients() == 0) {
            schedule(exponential(1 / setup.rate()), ARRIVAL, 0);
        }
        for (int client = 0; client < setup.clients(); client++) {
            // spread over a round, so that they do not begin in step
            schedule(random.nextDouble() * (setup.think().mean() + setup.network().mean()), ARRIVAL, client);
        }
        long warm = (long) (requests * WARM_UP);
        long done = 0;
        boolean warming = true;
        while (done < requests) {
            int event = events[0];
            now = times[0];
            int id = event >> TYPES;
            switch (event & (1 << TYPES) - 1) {
                case ARRIVAL -> arrive(id);
                case POOL -> connect(id);
                default -> done += complete(id);
            }
            if (warming && done >= warm) {
                warming = false;
                reset();
            }
        }
        double span = now - from;
        return new Outcome(measured / span, responses / measured, waits / measured, percentile(0.5), percentile(0.99),
                percentile(0.999), busy / span / setup.workers() / setup.brokers(),
                (double) measured / Math.max(1, batches));
    }

    private void reset() {
        from = now;
        measured = 0;
        responses = 0;
        waits = 0;
        busy = 0;
        batches = 0;
        Arrays.fill(counts, 0);
    }

    private void arrive(int client) {
        int id = client;
        if (setup.clients() == 0) {
            id = take();
            replaceFirst(now + exponential(1 / setup.rate()), ARRIVAL, 0);
        } else {
            removeFirst();
        }
        int broker = setup.brokers() == 1 ? 0 : random.nextInt(setup.brokers());
        arrived[id] = now;
        brokerOf[id] = broker;
        next[id] = NONE;
        if (tail[broker] == NONE) {
            head[broker] = id;
        } else {
            next[tail[broker]] = id;
        }
        tail[broker] = id;
        if (freeWorkers[broker] > 0) {
            freeWorkers[broker]--;
            work(broker);
        }
    }

    /** A worker takes what it may from the line, which is not empty. */
    private void work(int broker) {
        int first = head[broker];
        int last = first;
        began[first] = now;
        waits += now - arrived[first];
        int taken = 1;
        int most = setup.batch() == null ? 1 : setup.batch().most();
        while (taken < most && next[last] != NONE) {
            last = next[last];
            waits += now - arrived[last];
            taken++;
        }
        head[broker] = next[last];
        if (head[broker] == NONE) {
            tail[broker] = NONE;
        }
        next[last] = NONE;
        batches++;
        if (setup.batch() != null) {
            schedule(now + setup.batch().fixed() + taken * setup.batch().each(), DONE, first);
        } else if (setup.pool() < setup.workers()) {
            schedule(now + setup.worker().next(random), POOL, first);
        } else {
            schedule(now + setup.worker().next(random) + setup.database().next(random), DONE, first);
        }
    }

    private void connect(int id) {
        int broker = brokerOf[id];
        if (freeConnections[broker] > 0) {
            freeConnections[broker]--;
            replaceFirst(now + setup.database().next(random), DONE, id);
            return;
        }
        removeFirst();
        next[id] = NONE;
        if (poolTail[broker] == NONE) {
            poolHead[broker] = id;
        } else {
            next[poolTail[broker]] = id;
        }
        poolTail[broker] = id;
    }

    private int complete(int first) {
        removeFirst();
        int broker = brokerOf[first];
        busy += now - Math.max(began[first], from);
        int done = 0;
        for (int id = first; id != NONE;) {
            int following = next[id];
            double network = setup.network().next(random);
            count(now - arrived[id] + network);
            if (setup.clients() == 0) {
                next[id] = firstFree;
                firstFree = id;
            } else {
                schedule(now + network + setup.think().next(random), ARRIVAL, id);
            }
            id = following;
            done++;
        }
        if (setup.batch() == null && setup.pool() < setup.workers()) {
            int waiting = poolHead[broker];
            if (waiting == NONE) {
                freeConnections[broker]++;
            } else {
                poolHead[broker] = next[waiting];
                if (poolHead[broker] == NONE) {
                    poolTail[broker] = NONE;
                }
                next[waiting] = NONE;
                schedule(now + setup.database().next(random), DONE, waiting);
            }
        }
        if (head[broker] == NONE) {
            freeWorkers[broker]++;
        } else {
            work(broker);
        }
        return done;
    }

    private void count(double response) {
        measured++;
        responses += response;
        int cell = (int) (Double.doubleToRawLongBits(response) >>> PRECISION) - LOWEST;
        counts[Math.max(0, Math.min(counts.length - 1, cell))]++;
    }

    private double percentile(double p) {
        long rank = (long) Math.ceil(p * measured);
        int cell = 0;
        for (long below = counts[0]; below < rank; below += counts[cell]) {
            cell++;
        }
        return Double.longBitsToDouble((long) (cell + LOWEST) << PRECISION | 1L << PRECISION - 1);
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    /** @return room for a request of open arrivals */
    private int take() {
        if (firstFree != NONE) {
            int id = firstFree;
            firstFree = next[id];
            return id;
        }
        if (used == MOST_INSIDE) {
            throw new DataException("More than %d requests wait: the queue grows.".formatted(MOST_INSIDE));
        }
        if (used == arrived.length) {
            int room = used * 2;
            arrived = Arrays.copyOf(arrived, room);
            began = Arrays.copyOf(began, room);
            brokerOf = Arrays.copyOf(brokerOf, room);
            next = Arrays.copyOf(next, room);
        }
        return used++;
    }

    /** A heap of times in two arrays; at most every client and worker has an event. */
    private void schedule(double time, int type, int id) {
        int place = size++;
        while (place > 0 && times[(place - 1) >> 1] > time) {
            int parent = (place - 1) >> 1;
            times[place] = times[parent];
            events[place] = events[parent];
            place = parent;
        }
        times[place] = time;
        events[place] = id << TYPES | type;
    }

    private void removeFirst() {
        size--;
        if (size > 0) {
            sink(times[size], events[size]);
        }
    }

    private void replaceFirst(double time, int type, int id) {
        sink(time, id << TYPES | type);
    }

    private void sink(double time, int event) {
        int place = 0;
        for (int child = 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && times[child + 1] < times[child]) {
                child++;
            }
            if (times[child] >= time) {
                break;
            }
            times[place] = times[child];
            events[place] = events[child];
            place = child;
        }
        times[place] = time;
        events[place] = event;
    }

    private static int[] filled(int length, int value) {
        int[] array = new int[length];
        Arrays.fill(array, value);
        return array;
    }
}
