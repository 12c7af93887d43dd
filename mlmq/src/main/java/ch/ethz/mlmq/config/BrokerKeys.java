package ch.ethz.mlmq.config;

import java.time.Duration;
import java.util.List;

/** Keys of a broker. */
public final class BrokerKeys {
    public static final Key<Integer> PORT = integer("broker.port", 0, 65_535, "0", "",
            "Where it listens; 0: at the port that the mapping names.");
    public static final Key<String> ADDRESS = Key.of("broker.address", String.class, Grammar.text("an address"), "",
            "", "Address it listens on, such as 0.0.0.0 for all; empty: the host that the mapping names.");
    public static final Key<String> NAME = Key.of("broker.name", String.class, Grammar.text("a name"), "", "",
            "What tells this broker from the others of its database; empty: host name, address and port.");
    public static final Key<Integer> IO_THREADS = integer("broker.io.threads", 1, 64, "1", "threads",
            "Threads that read and write; connections are spread over them.");
    public static final Key<Integer> WORKERS = integer("broker.workers", 0, 512, "2", "threads",
            "Threads that execute requests; 0: each I/O thread executes the requests of its own connections.");
    public static final Key<Integer> BATCH_MAX = integer("broker.batch.max", 1, 4_096, "512", "requests",
            "At most so many waiting requests share a transaction; 1: every request has its own.");
    public static final Key<Integer> REQUEST_QUEUE = integer("broker.requestqueue.size", 1, 1_000_000, "10000",
            "requests",
            "Requests that may wait for a worker; a connection gets no more than it leaves free. As many may wait for "
                    + "a message. See broker.shedding.");
    public static final Key<Integer> RESPONSE_QUEUE = integer("broker.responsequeue.size", 1, 1_000_000, "10000",
            "responses", "Capacity of the response queue of each I/O thread; a worker waits where it is full.");
    public static final Key<Shedding> SHEDDING = Key.of("broker.shedding", Shedding.class,
            Grammar.oneOf(Shedding.class), "refuse", "",
            "A request beyond the queue is answered with OVERLOADED (refuse), or forgotten so that it times out "
                    + "(drop).");
    public static final Key<Integer> MAX_CLIENTS = integer("broker.maxclients", 1, 100_000, "2000", "connections",
            "Connections beyond it are told BROKER_FULL and closed.");
    public static final Key<Integer> CONTENT_MAX = integer("broker.content.max", 1, 1_048_576, "2000", "bytes",
            "Longest content of a message.");
    public static final Key<Integer> FRAME_MAX = integer("broker.frame.max", 65_536, 1_073_741_820, "4194304",
            "bytes", "Longest frame that is read; a longer one is a protocol error.");
    public static final Key<Integer> OUTBOUND_MAX = integer("broker.connection.outbound.max", 4_096, 1_073_741_824,
            "1048576", "bytes", "A connection with so many unread bytes of answers is not read until it has caught "
                    + "up.");
    public static final Key<Long> MEMORY_MAX = Key.of("broker.memory.max", Long.class,
            Grammar.wholeNumber(0, Long.MAX_VALUE), "0", "bytes",
            "What all connections together may hold, begun frames "
                    + "and unread answers; 0: a quarter of the heap or of the direct memory.");
    public static final Key<Duration> REGISTER_TIMEOUT = duration("broker.connection.register.timeout", "100ms", "1h",
            "10s", "A connection that has not registered and sends no request for so long is closed.");
    public static final Key<Duration> WRITE_TIMEOUT = duration("broker.connection.write.timeout", "100ms", "1h", "30s",
            "A connection that takes no byte of its waiting answers for so long is closed.");
    public static final Key<Duration> KEEP_ALIVE = duration("broker.connection.keepalive.timeout", "300ms", "1h", "30s",
            "A client that has promised signs of life and gives none for so long is taken for gone.");
    public static final Key<Duration> IDLE_TIMEOUT = duration("broker.connection.idle.timeout", "0", "24h", "0",
            "A client that has not promised signs of life and sends no request for so long is closed; 0: never.");
    public static final Key<Integer> DELIVERIES_MAX = integer("broker.deliveries.max", 1, 1_000, "10", "deliveries",
            "A message goes to the dead-letter queue after this many deliveries without an acknowledgement.");
    public static final Key<Duration> DEDUP_WINDOW = duration("broker.dedup.window", "1s", "24h", "10min",
            "The same key for the same queue within this time is stored once.");
    public static final Key<Duration> CLIENT_KEEP = duration("broker.client.keep", "0", "100000h", "720h",
            "A client that was away for so long and has no message is removed; 0: never.");
    public static final Key<Duration> WAIT_POLL = duration("broker.wait.poll", "10ms", "60s", "500ms",
            "How often a broker looks for messages that waiting clients were not told about.");
    public static final Key<Duration> SHUTDOWN_TIMEOUT = duration("broker.shutdown.timeout", "100ms", "10min", "10s",
            "A graceful shutdown takes at most this long.");
    public static final Key<StorageKind> STORAGE = Key.of("broker.storage", StorageKind.class,
            Grammar.oneOf(StorageKind.class), "postgresql", "", "Where messages are kept.");
    public static final Key<String> DB_URL = Key.of("broker.db.url", String.class, Grammar.text("jdbc:postgresql://…"),
            "jdbc:postgresql://127.0.0.1:5432/mlmq", "", "The database, made by dbscript.");
    public static final Key<String> DB_USER = Key.of("broker.db.user", String.class, Grammar.text("a name"), "mlmq",
            "", "User of the database.");
    public static final Key<String> DB_PASSWORD = Key.secret("broker.db.password",
            "Empty: taken from broker.db.password.file, or from MLMQ_DB_PASSWORD in the environment.");
    public static final Key<String> DB_PASSWORD_FILE = Key.of("broker.db.password.file", String.class,
            Grammar.text("a file"), "", "", "A file whose first line is the password.");
    public static final Key<Integer> DB_CONNECTIONS = integer("broker.db.connections", 1, 512, "2", "connections",
            "The pool; fewer than workers means that workers wait for one another (BPool).");
    public static final Key<Duration> DB_TIMEOUT = duration("broker.db.timeout", "100ms", "10min", "5s",
            "A request is answered with BROKER_ERROR where the database takes longer.");
    public static final Key<SynchronousCommit> DB_SYNCHRONOUS_COMMIT = Key.of("broker.db.synchronous.commit",
            SynchronousCommit.class, Grammar.oneOf(SynchronousCommit.class), "on", "",
            "What an acknowledgement means: on disk (on, local), or soon on disk (off).");

    /** All of them, in the order of the templates. */
    public static final List<Key<?>> ALL = List.of(PORT, ADDRESS, NAME, IO_THREADS, WORKERS, BATCH_MAX, REQUEST_QUEUE,
            RESPONSE_QUEUE, SHEDDING, MAX_CLIENTS, CONTENT_MAX, FRAME_MAX, OUTBOUND_MAX,
            MEMORY_MAX, REGISTER_TIMEOUT, WRITE_TIMEOUT, KEEP_ALIVE, IDLE_TIMEOUT, DELIVERIES_MAX,
            DEDUP_WINDOW, CLIENT_KEEP, WAIT_POLL, SHUTDOWN_TIMEOUT, STORAGE, DB_URL, DB_USER, DB_PASSWORD,
            DB_PASSWORD_FILE, DB_CONNECTIONS, DB_TIMEOUT, DB_SYNCHRONOUS_COMMIT);

    private BrokerKeys() {
    }

    private static Key<Integer> integer(String name, int min, int max, String value, String unit, String description) {
        return Key.of(name, Integer.class, Grammar.integer(min, max), value, unit, description);
    }

    private static Key<Duration> duration(String name, String min, String max, String value, String description) {
        return Key.of(name, Duration.class, Grammar.duration(min, max), value, "", description);
    }
}
