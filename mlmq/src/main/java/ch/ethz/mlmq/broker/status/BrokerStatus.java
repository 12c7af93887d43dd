package ch.ethz.mlmq.broker.status;

import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.json.JsonObject;
import ch.ethz.mlmq.log.EverySecond.Column;
import ch.ethz.mlmq.log.JvmMemory;
import ch.ethz.mlmq.storage.Storage;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;

/** State of a broker for its status, its progress lines, its gauges and its statistics. */
public final class BrokerStatus {
    private final int position;
    private final StorageKind kind;
    private final Counters counters;
    private final Storage storage;
    private final Gauges at;
    private final MemoryBudget memory;
    private final long startedMillis = System.currentTimeMillis();
    private volatile BrokerState state = BrokerState.STARTING;
    private long lastRequests;
    private long lastNanos = System.nanoTime();

    /**
     * Sources of current values.
     *
     * @param queued    requests that wait for a worker
     * @param responses responses that wait for an I/O thread
     * @param waiting   requests that wait for a message
     * @param buffers   buffers of responses that are being written
     */
    public record Gauges(IntSupplier queued, IntSupplier responses, IntSupplier waiting, IntSupplier buffers) {
    }

    /** @param position of the broker among those of its group */
    public BrokerStatus(int position, StorageKind kind, Counters counters, Storage storage, Gauges gauges,
            MemoryBudget memory) {
        this.position = position;
        this.kind = kind;
        this.counters = counters;
        this.storage = storage;
        this.at = gauges;
        this.memory = memory;
    }

    /** @return the phase of the broker's life */
    public BrokerState state() {
        return state;
    }

    /** Enters the next phase of the broker's life. */
    public void become(BrokerState next) {
        state = next;
    }

    /** @return one line of JSON, the response to {@code status} */
    public String json() {
        Storage.PoolState pool = storage.pool();
        return new JsonObject()
                .put("state", state.word())
                .put("database", storage.reach().name().toLowerCase(Locale.ROOT))
                .put("clients", counters.clients.get())
                .put("queue", at.queued.getAsInt())
                .put("responses", at.responses.getAsInt())
                .put("waiting", at.waiting.getAsInt())
                .put("requests", counters.requests.sum())
                .put("errors", counters.errors.sum())
                .put("shed", counters.shed.sum())
                .put("uptime_ms", System.currentTimeMillis() - startedMillis)
                .put("pool", new JsonObject().put("busy", pool.busy()).put("total", pool.total())
                        .put("waiting", pool.waiting()))
                .put("storage", kind.name().toLowerCase(Locale.ROOT))
                .put("heap", JvmMemory.heap())
                .put("memory", memory.used())
                .put("sent_away", counters.sentAway.sum())
                .put("limited", counters.limited.sum())
                .toString();
    }

    /** @return one line of JSON for programs that follow the broker's progress. Called by one thread. */
    public synchronized String progress() {
        long requests = counters.requests.sum();
        long now = System.nanoTime();
        double rate = (requests - lastRequests) * 1e9 / Math.max(1, now - lastNanos);
        lastRequests = requests;
        lastNanos = now;
        return new JsonObject()
                .put("ms", System.currentTimeMillis())
                .put("role", "broker")
                .put("position", position)
                .put("state", state.word())
                .put("clients", counters.clients.get())
                .put("requests", requests)
                .put("rate", rate)
                .put("errors", counters.errors.sum())
                .put("shed", counters.shed.sum())
                .put("queue", at.queued.getAsInt())
                .put("heap", JvmMemory.heap())
                .put("gcs", JvmMemory.collections())
                .put("gc_ms", JvmMemory.collectingMillis())
                .toString();
    }

    /** @return cumulative counters for the statistics file */
    public List<Column> statistics() {
        return List.of(new Column("sends", counters.sends::sum), new Column("takes", counters.takes::sum),
                new Column("requests", counters.requests::sum), new Column("io_ns", counters.ioNanos::sum),
                new Column("workers_ns", counters.workerNanos::sum),
                new Column("persistence_ns", counters.persistenceNanos::sum));
    }

    /** @return current values for the gauges file */
    public List<Column> gauges() {
        return List.of(new Column("clients", counters.clients::get), new Column("queue", at.queued::getAsInt),
                new Column("responses", at.responses::getAsInt), new Column("waiting", at.waiting::getAsInt),
                new Column("shed", counters.shed::sum), new Column("errors", counters.errors::sum),
                new Column("pool_busy", () -> storage.pool().busy()),
                new Column("pool_waiting", () -> storage.pool().waiting()),
                new Column("buffers", at.buffers::getAsInt), new Column("heap", JvmMemory::heap),
                new Column("gcs", JvmMemory::collections), new Column("gc_ms", JvmMemory::collectingMillis),
                new Column("cpu_ms", JvmMemory::processorMillis), new Column("limited", counters.limited::sum),
                new Column("full", () -> storage.limitCounters().refused.sum()),
                new Column("dropped", () -> storage.limitCounters().dropped.sum()),
                new Column("aged", () -> storage.limitCounters().aged.sum()));
    }
}
