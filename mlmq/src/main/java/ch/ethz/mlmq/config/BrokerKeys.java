package ch.ethz.mlmq.config;

import java.time.Duration;
import java.util.List;

/** Keys of a broker. */
public final class BrokerKeys {
    public static final Key<Integer> PORT = integer("broker.port", 0, 65_535, "0", "",
            "The broker listens on this port. 0 means the port that the mapping names.");
    public static final Key<String> ADDRESS = Key.of("broker.address", String.class, Grammar.text("an address"), "",
            "", "The broker listens on this address, such as 0.0.0.0 for all. Empty means the host that the mapping "
                    + "names.");
    public static final Key<String> NAME = Key.of("broker.name", String.class, Grammar.text("a name"), "", "",
            "This name identifies the broker among all of its database. Empty means host name, address and port.");
    public static final Key<Integer> IO_THREADS = integer("broker.io.threads", 1, 64, "1", "threads",
            "I/O threads read requests and write responses. Connections are spread over them.");
    public static final Key<Integer> ADDRESS_THREADS = integer("broker.io.threads.per.address", 0, 64, "0", "threads",
            "The connections of one address are spread over this many I/O threads, which the last byte of the address "
                    + "chooses. 0 means all.");
    public static final Key<Integer> WORKERS = integer("broker.workers", 0, 512, "2", "threads",
            "Workers execute requests. 0 means that each I/O thread executes the requests of its own connections.");
    public static final Key<Integer> BATCH_MAX = integer("broker.batch.max", 1, 4_096, "512", "requests",
            "At most this many waiting requests share a transaction. 1 means that every request has its own.");
    public static final Key<Integer> REQUEST_QUEUE = integer("broker.requestqueue.size", 1, 1_000_000, "10000",
            "requests",
            "At most this many requests wait for a worker, and as many for a message. A connection gets no more "
                    + "places than it leaves free. See broker.shedding.");
    public static final Key<Integer> RESPONSE_QUEUE = integer("broker.responsequeue.size", 1, 1_000_000, "10000",
            "responses", "The response queue of each I/O thread holds this many responses. A worker waits while it "
                    + "is full.");
    public static final Key<Shedding> SHEDDING = Key.of("broker.shedding", Shedding.class,
            Grammar.oneOf(Shedding.class), "refuse", "",
            "A request that does not fit into the queue fails with OVERLOADED (refuse), or gets no response and "
                    + "times out (drop).");
    public static final Key<Integer> MAX_CLIENTS = integer("broker.maxclients", 1, 100_000, "2000", "connections",
            "The broker sends BROKER_FULL on further connections and closes them.");
    public static final Key<Integer> CONTENT_MAX = integer("broker.content.max", 1, 1_048_576, "2000", "bytes",
            "The content of a message has at most this many bytes.");
    public static final Key<Integer> FRAME_MAX = integer("broker.frame.max", 65_536, 1_073_741_820, "4194304",
            "bytes", "A frame that the broker reads has at most this many bytes. A longer one is a protocol error.");
    public static final Key<Integer> OUTBOUND_MAX = integer("broker.connection.outbound.max", 4_096, 1_073_741_824,
            "1048576", "bytes", "The broker stops reading from a connection with this many bytes of unread responses "
                    + "until its client has caught up.");
    public static final Key<Long> MEMORY_MAX = Key.of("broker.memory.max", Long.class,
            Grammar.wholeNumber(0, Long.MAX_VALUE), "0", "bytes",
            "All connections together hold at most this many bytes of incomplete frames and unread responses. 0 "
                    + "means a quarter of the heap or of the direct memory.");
    public static final Key<Duration> REGISTER_TIMEOUT = duration("broker.connection.register.timeout", "100ms", "1h",
            "10s", "The broker closes a connection that has not registered and sends no request for this long.");
    public static final Key<Duration> WRITE_TIMEOUT = duration("broker.connection.write.timeout", "100ms", "1h", "30s",
            "The broker closes a connection that reads no byte of its waiting responses for this long.");
    public static final Key<Duration> KEEP_ALIVE = duration("broker.connection.keepalive.timeout", "300ms", "1h", "30s",
            "The broker closes a connection that has agreed on keep-alive and sends no byte for this long.");
    public static final Key<Duration> IDLE_TIMEOUT = duration("broker.connection.idle.timeout", "0", "24h", "0",
            "The broker closes a connection without keep-alive that sends no request for this long. 0 means never.");
    public static final Key<Integer> DELIVERIES_MAX = integer("broker.deliveries.max", 1, 1_000, "10", "deliveries",
            "A message goes to the dead-letter queue after this many deliveries without an acknowledgement.");
    public static final Key<Duration> DEDUP_WINDOW = duration("broker.dedup.window", "1s", "24h", "10min",
            "Messages with the same key for the same queue within this time are stored once.");
    public static final Key<Duration> CLIENT_KEEP = duration("broker.client.keep", "0", "100000h", "720h",
            "The broker removes a client that was offline for this long and has no message. 0 means never.");
    public static final Key<Duration> WAIT_POLL = duration("broker.wait.poll", "10ms", "60s", "500ms",
            "The broker looks at this interval for messages that no notification announced to its waiting clients.");
    public static final Key<Duration> SHUTDOWN_TIMEOUT = duration("broker.shutdown.timeout", "100ms", "10min", "10s",
            "A graceful shutdown takes at most this long.");
    public static final Key<StorageKind> STORAGE = Key.of("broker.storage", StorageKind.class,
            Grammar.oneOf(StorageKind.class), "postgresql", "", "The broker stores messages here.");
    public static final Key<String> DB_URL = Key.of("broker.db.url", String.class, Grammar.text("jdbc:postgresql://…"),
            "jdbc:postgresql://127.0.0.1:5432/mlmq", "", "The broker uses this database, which dbscript creates.");
    public static final Key<String> DB_USER = Key.of("broker.db.user", String.class, Grammar.text("a name"), "mlmq",
            "", "The broker connects to the database as this user.");
    public static final Key<String> DB_PASSWORD = Key.secret("broker.db.password",
            "The password of the user. If it is empty, broker.db.password.file or MLMQ_DB_PASSWORD in the "
                    + "environment has it.");
    public static final Key<String> DB_PASSWORD_FILE = Key.of("broker.db.password.file", String.class,
            Grammar.text("a file"), "", "", "The first line of this file is the password of the user.");
    public static final Key<Integer> DB_CONNECTIONS = integer("broker.db.connections", 1, 512, "2", "connections",
            "The pool has this many connections. With fewer connections than workers, workers wait for connections "
                    + "(BPool).");
    public static final Key<Duration> DB_TIMEOUT = duration("broker.db.timeout", "100ms", "10min", "5s",
            "A request fails with BROKER_ERROR if the database takes longer than this, and with OVERLOADED if it "
                    + "waited longer than this for a worker.");
    public static final Key<SynchronousCommit> DB_SYNCHRONOUS_COMMIT = Key.of("broker.db.synchronous.commit",
            SynchronousCommit.class, Grammar.oneOf(SynchronousCommit.class), "on", "",
            "A change is on disk when the broker confirms it (on, local), or soon after (off).");

    public static final Key<String> TLS_CERTIFICATE = Key.of("broker.tls.certificate", String.class,
            Grammar.text("a file"), "", "", "The broker's port speaks TLS with the certificate of this PEM file, which "
                    + "also has those that lead to its authority. Empty means no TLS.");
    public static final Key<String> TLS_KEY = Key.of("broker.tls.key", String.class, Grammar.text("a file"), "", "",
            "This PEM file has the certificate's private key, unencrypted.");
    public static final Key<TlsClients> TLS_CLIENTS = Key.of("broker.tls.clients", TlsClients.class,
            Grammar.oneOf(TlsClients.class), "none", "", "The broker asks clients for a certificate of their own, or "
                    + "requires one.");
    public static final Key<String> TLS_AUTHORITIES = Key.of("broker.tls.authorities", String.class,
            Grammar.text("a file"), "", "", "The certificates of clients lead to an authority in this PEM file.");

    public static final Key<Authentication> AUTH = Key.of("broker.auth", Authentication.class,
            Grammar.oneOf(Authentication.class), "none", "", "Clients sign in with a password (scram) or by the name "
                    + "in their TLS certificate (certificate), as a user of \"mlmq user\"; or everybody may use all "
                    + "queues (none).");
    public static final Key<Anonymous> ANONYMOUS = Key.of("broker.anonymous", Anonymous.class,
            Grammar.oneOf(Anonymous.class), "loopback", "", "With broker.auth=none the broker listens on loopback "
                    + "addresses only (loopback), or on any (anywhere).");

    public static final Key<String> AUDIT_FILE = Key.of("broker.audit.file", String.class, Grammar.text("a file"), "",
            "", "The broker writes down here who connects, is refused, creates, deletes and grants. Empty means "
                    + "audit_broker_<position>.log beside its other logs where users sign in, else nothing.");
    public static final Key<Integer> USER_CONNECTIONS = integer("broker.user.connections", 0, 100_000, "0",
            "connections", "A user has at most this many connections, and one more to take over a lost one. 0 means "
                    + "no limit, as below.");
    public static final Key<Integer> USER_QUEUES = integer("broker.user.queues", 0, 1_000_000, "0", "queues",
            "A user creates no queue, topic or subscription while it owns this many.");
    public static final Key<Integer> USER_CLIENTS = integer("broker.user.clients", 0, 1_000_000, "0", "names",
            "A user registers no new name while it has this many, temporary ones among them.");
    public static final Key<Long> USER_BYTES = Key.of("broker.user.bytes", Long.class,
            Grammar.wholeNumber(0, Long.MAX_VALUE), "0", "bytes",
            "Requests of a user fail with OVERLOADED while its requests and unread responses hold more than this.");
    public static final Key<Integer> USER_REQUESTS = integer("broker.user.requests", 0, 100_000_000, "0",
            "requests/s", "Requests of a user beyond this rate fail with OVERLOADED.");
    public static final Key<Integer> ADDRESS_CONNECTIONS = integer("broker.address.connections", 0, 100_000, "0",
            "connections", "An address (of IPv6 its first 64 bits) has at most this many connections to the broker.");
    public static final Key<Long> ADDRESS_BYTES = Key.of("broker.address.bytes", Long.class,
            Grammar.wholeNumber(0, Long.MAX_VALUE), "0", "bytes",
            "Requests of an address fail with OVERLOADED while its requests and unread responses hold more than this.");
    public static final Key<Integer> ADDRESS_REQUESTS = integer("broker.address.requests", 0, 100_000_000, "0",
            "requests/s", "Requests of an address beyond this rate fail with OVERLOADED.");

    /** All of them, in the order of the templates. */
    public static final List<Key<?>> ALL = List.of(PORT, ADDRESS, NAME, IO_THREADS, ADDRESS_THREADS, WORKERS,
            BATCH_MAX, REQUEST_QUEUE, RESPONSE_QUEUE, SHEDDING, MAX_CLIENTS, CONTENT_MAX, FRAME_MAX, OUTBOUND_MAX,
            MEMORY_MAX, REGISTER_TIMEOUT, WRITE_TIMEOUT, KEEP_ALIVE, IDLE_TIMEOUT, DELIVERIES_MAX, DEDUP_WINDOW,
            CLIENT_KEEP, WAIT_POLL, SHUTDOWN_TIMEOUT, STORAGE, DB_URL, DB_USER, DB_PASSWORD, DB_PASSWORD_FILE,
            DB_CONNECTIONS, DB_TIMEOUT, DB_SYNCHRONOUS_COMMIT, TLS_CERTIFICATE, TLS_KEY, TLS_CLIENTS,
            TLS_AUTHORITIES, AUTH, ANONYMOUS, AUDIT_FILE, USER_CONNECTIONS, USER_QUEUES, USER_CLIENTS, USER_BYTES,
            USER_REQUESTS, ADDRESS_CONNECTIONS, ADDRESS_BYTES, ADDRESS_REQUESTS);

    private BrokerKeys() {
    }

    private static Key<Integer> integer(String name, int min, int max, String value, String unit, String description) {
        return Key.of(name, Integer.class, Grammar.integer(min, max), value, unit, description);
    }

    private static Key<Duration> duration(String name, String min, String max, String value, String description) {
        return Key.of(name, Duration.class, Grammar.duration(min, max), value, "", description);
    }
}
