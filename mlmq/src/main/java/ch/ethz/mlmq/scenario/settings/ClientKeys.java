package ch.ethz.mlmq.scenario.settings;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.scenario.pacing.ClientSteps;
import ch.ethz.mlmq.scenario.pacing.LoadPlan;
import ch.ethz.mlmq.scenario.pacing.Pace;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.workload.MessageContent;
import ch.ethz.mlmq.scenario.workload.MessageSizes;
import ch.ethz.mlmq.scenario.workload.OperationMix;
import ch.ethz.mlmq.scenario.workload.Priorities;
import ch.ethz.mlmq.scenario.workload.PublicQueues;
import ch.ethz.mlmq.scenario.workload.QueueChoice;
import java.time.Duration;
import java.util.List;

/** Keys of the JVMs that generate load. */
public final class ClientKeys {
    /** Largest number of clients of a JVM; message ids have no bits for more. */
    public static final int MOST_CLIENTS = 1_000;

    public static final Key<Integer> CLIENTS = Key.of("client.clients", Integer.class, Grammar.integer(1, MOST_CLIENTS),
            "10", "", "The JVM runs this many clients, each with its own connection.");
    public static final Key<ClientSteps> STEPS = Key.of("client.steps", ClientSteps.class,
            LoadGrammars.steps(MOST_CLIENTS), "", "", "Clients join during the load in these steps.");
    public static final Key<Integer> IO_THREADS = Key.of("client.io.threads", Integer.class, Grammar.integer(1, 64),
            "1", "", "The clients' connections are spread over this many threads.");

    public static final Key<Pace> RATE = Key.of("client.rate", Pace.class, LoadGrammars.pace(), "", "",
            "The clients start requests at this rate, however long responses take (open load).");
    public static final Key<LoadPlan> LOAD = Key.of("client.load", LoadPlan.class, LoadGrammars.load(), "", "",
            "The measuring phase has these parts, each with a name, its length and what changes in it: a rate, or "
                    + "paused. One with until ends at the command next, at the latest after its length.");
    public static final Key<RateOf> RATE_OF = Key.of("client.rate.of", RateOf.class, Grammar.oneOf(RateOf.class), "jvm",
            "", "The rate is that of the JVM, spread over its clients (jvm), or that of each client (client).");
    public static final Key<ArrivalKind> ARRIVALS = Key.of("client.arrivals", ArrivalKind.class,
            Grammar.oneOf(ArrivalKind.class), "fixed", "", "The requests of an open load start at equal intervals "
                    + "(fixed) or at random times (poisson).");
    public static final Key<Integer> INFLIGHT_MAX = Key.of("client.inflight.max", Integer.class,
            Grammar.integer(1, 10_000), "1", "requests",
            "A client has at most this many requests in flight. A further request starts late and is counted as late.");
    public static final Key<ThinkTime> THINK_TIME = Key.of("client.think.time", ThinkTime.class,
            LoadGrammars.thinkTime(), "0", "", "A client of a closed load waits this long before its next request.");
    public static final Key<Duration> LATE_AFTER = Key.of("client.late.after", Duration.class,
            Grammar.duration("1ms", "10s"), "10ms", "",
            "A request of an open load that starts this long after its planned time counts as late.");

    public static final Key<MessageSizes> MESSAGE_SIZE = Key.of("client.message.size", MessageSizes.class,
            LoadGrammars.messageSizes(Limits.GREATEST_CONTENT_BYTES), "100", "bytes", "The lengths of messages.");
    public static final Key<MessageContent> MESSAGE_CONTENT = Key.of("client.message.content", MessageContent.class,
            MessageContent.GRAMMAR, "text", "", "Messages are filled with words that PostgreSQL compresses as far as "
                    + "English (text), with bytes that nothing can compress (random), with zeros, or with parts of a "
                    + "file, up to its first 16 MB (file).");
    public static final Key<Priorities> PRIORITY = Key.of("client.priority", Priorities.class,
            LoadGrammars.priorities(), "1..10", "", "The priorities of messages. 10 is the highest.");
    public static final Key<PublicQueues> QUEUES = Key.of("client.queues", PublicQueues.class, PublicQueues.GRAMMAR,
            "10", "", "Clients use this many public queues: queue1, queue2 and so on; or those of a range. "
                    + "Missing ones are created.");
    public static final Key<QueueChoice> QUEUE_CHOICE = Key.of("client.queue.choice", QueueChoice.class,
            QueueChoice.GRAMMAR, "random", "", "Clients choose public queues by this distribution.");
    public static final Key<Pairing> PAIRING = Key.of("client.pairing", Pairing.class, Grammar.oneOf(Pairing.class),
            "any", "", "The clients of a JVM receive messages of all JVMs (any), or only those that they sent "
                    + "themselves (own), so that one clock times them. Each JVM then has public queues of its own.");
    public static final Key<Integer> RECIPIENTS = Key.of("client.recipients", Integer.class,
            Grammar.integer(1, Limits.MAX_LIST), "1", "queues", "Alice sends each message to this many queues.");
    public static final Key<OperationMix> MIX = Key.of("client.mix", OperationMix.class, OperationMix.GRAMMAR,
            "send:25,peek:25,query:25,dequeue:25", "", "Mix and DatabaseOnly choose operations by these weights.");
    public static final Key<Integer> BATCH = Key.of("client.batch", Integer.class, Grammar.integer(1, Limits.MAX_LIST),
            "1", "messages", "Worker and Subscriber receive and acknowledge at most this many "
            + "messages at once.");
    public static final Key<Integer> BATCH_SEND = Key.of("client.batch.send", Integer.class,
            Grammar.integer(1, Limits.MAX_LIST), "1", "messages", "PublicQueueProducer, Carl, Mix and DatabaseOnly "
                    + "send this many messages to a public queue at once.");
    public static final Key<Integer> BATCH_TAKE = Key.of("client.batch.take", Integer.class,
            Grammar.integer(1, Limits.MAX_LIST), "1", "messages", "PublicQueueConsumer, Bob, Rick and Mix take at most "
                    + "this many messages from a public queue at once.");
    public static final Key<Duration> WORK = Key.of("client.work", Duration.class, Grammar.duration("0", "10s"), "0",
            "", "Worker works this long for each received message before it acknowledges them.");
    public static final Key<Long> SEED = Key.of("client.seed", Long.class,
            Grammar.wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE), "1", "",
            "The same seed makes the same sequence of operations.");

    public static final Key<StartAt> START_AT = Key.of("client.start.at", StartAt.class, StartAt.GRAMMAR, "ready", "",
            "The load starts when the clients are ready (ready), at this instant [ms UTC], or when the command start "
                    + "says (command).");
    public static final Key<Duration> WARMUP = Key.of("client.warmup", Duration.class, Grammar.duration("0", "24h"),
            "0", "", "The load runs this long before it is measured. Its requests are recorded, but not part of the "
                    + "figures.");
    public static final Key<Duration> DURATION = Key.of("client.duration", Duration.class,
            Grammar.duration("1ms", "1000h"), "60s", "", "The load is measured for this long.");
    public static final Key<Duration> COOLDOWN = Key.of("client.cooldown", Duration.class,
            Grammar.duration("0", "24h"), "0", "", "The load continues this long after it was measured. Its requests "
                    + "are recorded, but not part of the figures.");
    public static final Key<Long> REQUESTS = Key.of("client.requests", Long.class,
            Grammar.wholeNumber(0, Long.MAX_VALUE), "0", "requests",
            "Measuring ends after this many requests of this JVM, if client.duration has not ended before. 0 means "
                    + "no such limit.");

    public static final Key<Duration> TIMEOUT = Key.of("client.timeout", Duration.class,
            Grammar.duration("1ms", "10min"), "1s", "", "A request without a response within this time has failed.");
    public static final Key<Duration> CONNECT_WITHIN = Key.of("client.connect.within", Duration.class,
            Grammar.duration("100ms", "1h"), "30s", "",
            "The run fails if its clients cannot connect and find one another within this time.");
    public static final Key<Duration> BACKOFF = Key.of("client.reconnect.backoff", Duration.class,
            Grammar.duration("1ms", "1min"), "50ms", "",
            "A client waits this long before it first reconnects, to the next broker. The wait doubles at each "
                    + "failure.");
    public static final Key<Duration> BACKOFF_MAX = Key.of("client.reconnect.backoff.max", Duration.class,
            Grammar.duration("1ms", "10min"), "2s", "", "A client waits at most this long between two reconnects.");
    public static final Key<Duration> PARTNER_TIMEOUT = Key.of("client.partner.timeout", Duration.class,
            Grammar.duration("100ms", "1h"), "10s", "", "A partner that has not been heard from for this long counts "
                    + "as lost.");

    public static final Key<Boolean> RECORD_MESSAGES = Key.of("client.record.messages", Boolean.class,
            Grammar.flag(), "false", "",
            "The JVM records in messages_<role>_<position>.csv when each message was sent and received.");
    public static final Key<String> DB_URL = Key.of("client.db.url", String.class, Grammar.text("a JDBC URL"),
            "jdbc:postgresql://127.0.0.1:5432/mlmq", "", "DatabaseOnly uses this database.");
    public static final Key<String> DB_USER = Key.of("client.db.user", String.class, Grammar.text("a name"), "mlmq",
            "", "DatabaseOnly connects as this user. MLMQ_DB_PASSWORD in the environment is the password.");

    public static final Key<TlsMode> TLS = Key.of("client.tls", TlsMode.class, Grammar.oneOf(TlsMode.class), "disable",
            "", "Clients connect in the clear (disable), or with TLS to brokers whose certificate leads to a trusted "
                    + "authority (verify_ca) and also names the host (verify_full).");
    public static final Key<String> TLS_AUTHORITIES = Key.of("client.tls.authorities", String.class,
            Grammar.text("a file"), "", "", "Clients trust the authorities of this PEM file. Empty means those that "
                    + "the JVM trusts.");
    public static final Key<String> TLS_CERTIFICATE = Key.of("client.tls.certificate", String.class,
            Grammar.text("a file"), "", "", "Clients show the certificate of this PEM file to brokers that ask.");
    public static final Key<String> TLS_KEY = Key.of("client.tls.key", String.class, Grammar.text("a file"), "", "",
            "This PEM file has the certificate's private key, unencrypted.");
    public static final Key<String> USER = Key.of("client.user", String.class, Grammar.text("a name"), "", "",
            "Clients sign in as this user. Empty means that they do not sign in.");
    public static final Key<String> PASSWORD_FILE = Key.of("client.password.file", String.class,
            Grammar.text("a file"), "", "", "The first line of this file is the password of the user. Empty means "
                    + "MLMQ_PASSWORD in the environment.");

    /** All keys, in the order of the template. */
    public static final List<Key<?>> ALL = List.of(
            CLIENTS, STEPS, IO_THREADS, RATE, LOAD, RATE_OF, ARRIVALS, INFLIGHT_MAX, THINK_TIME, LATE_AFTER,
            MESSAGE_SIZE, MESSAGE_CONTENT, PRIORITY, QUEUES, QUEUE_CHOICE, PAIRING, RECIPIENTS, MIX, BATCH,
            BATCH_SEND, BATCH_TAKE, WORK, SEED, START_AT, WARMUP, DURATION, COOLDOWN, REQUESTS, TIMEOUT,
            CONNECT_WITHIN, BACKOFF, BACKOFF_MAX, PARTNER_TIMEOUT, RECORD_MESSAGES, DB_URL, DB_USER, TLS,
            TLS_AUTHORITIES, TLS_CERTIFICATE, TLS_KEY, USER, PASSWORD_FILE);

    /** The unit that a rate applies to. */
    public enum RateOf {
        /** The rate of all clients of the JVM together. */
        JVM,
        /** The rate of each client. */
        CLIENT
    }

    /** The spacing of an open load's requests. */
    public enum ArrivalKind {
        /** Requests start at even distances. */
        FIXED,
        /** Requests start at random, as from independent users. */
        POISSON
    }

    /** The JVMs that exchange messages. */
    public enum Pairing {
        /** Messages of every JVM may come to every other. */
        ANY,
        /** Each JVM receives its own. */
        OWN
    }

    private ClientKeys() {
    }
}
