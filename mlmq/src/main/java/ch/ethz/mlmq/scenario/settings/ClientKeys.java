package ch.ethz.mlmq.scenario.settings;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.scenario.pacing.ClientSteps;
import ch.ethz.mlmq.scenario.pacing.Pace;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.workload.MessageSizes;
import ch.ethz.mlmq.scenario.workload.OperationMix;
import ch.ethz.mlmq.scenario.workload.Priorities;
import ch.ethz.mlmq.scenario.workload.QueueChoice;
import java.time.Duration;
import java.util.List;

/** Keys of the JVMs that generate load. */
public final class ClientKeys {
    /** Largest number of clients of a JVM; message ids have no bits for more. */
    public static final int MOST_CLIENTS = 1_000;

    public static final Key<Integer> CLIENTS = Key.of("client.clients", Integer.class, Grammar.integer(1, MOST_CLIENTS),
            "10", "", "Clients in this JVM, each with a connection of its own.");
    public static final Key<ClientSteps> STEPS = Key.of("client.steps", ClientSteps.class,
            LoadGrammars.steps(MOST_CLIENTS), "", "", "How clients join while the load goes on.");
    public static final Key<Integer> IO_THREADS = Key.of("client.io.threads", Integer.class, Grammar.integer(1, 64),
            "1", "", "Threads that the clients' connections are spread over.");

    public static final Key<Pace> RATE = Key.of("client.rate", Pace.class, LoadGrammars.pace(), "", "",
            "Requests a second to start, however long answers take (open load).");
    public static final Key<RateOf> RATE_OF = Key.of("client.rate.of", RateOf.class, Grammar.oneOf(RateOf.class), "jvm",
            "", "Whether the rate is that of the JVM, spread over its clients, or that of each client.");
    public static final Key<ArrivalKind> ARRIVALS = Key.of("client.arrivals", ArrivalKind.class,
            Grammar.oneOf(ArrivalKind.class), "fixed", "", "How the requests of an open load are spaced.");
    public static final Key<Integer> INFLIGHT_MAX = Key.of("client.inflight.max", Integer.class,
            Grammar.integer(1, 10_000), "1", "requests",
            "Requests that one client may have in flight; an arrival beyond it starts late and is counted as such.");
    public static final Key<ThinkTime> THINK_TIME = Key.of("client.think.time", ThinkTime.class,
            LoadGrammars.thinkTime(), "0", "", "How long a client of a closed load waits before its next request.");
    public static final Key<Duration> LATE_AFTER = Key.of("client.late.after", Duration.class,
            Grammar.duration("1ms", "10s"), "10ms", "",
            "A request of an open load that starts this much after its time counts as late.");

    public static final Key<MessageSizes> MESSAGE_SIZE = Key.of("client.message.size", MessageSizes.class,
            LoadGrammars.messageSizes(Limits.GREATEST_CONTENT_BYTES), "100", "bytes", "How long messages are.");
    public static final Key<Priorities> PRIORITY = Key.of("client.priority", Priorities.class,
            LoadGrammars.priorities(), "1..10", "", "Which priorities messages have, 10 first.");
    public static final Key<Integer> QUEUES = Key.of("client.queues", Integer.class, Grammar.integer(1, 10_000), "10",
            "", "Public queues of the run, queue1 and so on; those that are missing are created.");
    public static final Key<QueueChoice> QUEUE_CHOICE = Key.of("client.queue.choice", QueueChoice.class,
            QueueChoice.GRAMMAR, "random", "", "Which of the public queues clients prefer.");
    public static final Key<Integer> RECIPIENTS = Key.of("client.recipients", Integer.class,
            Grammar.integer(1, Limits.MAX_LIST), "1", "queues", "Into how many queues Alice puts each message.");
    public static final Key<OperationMix> MIX = Key.of("client.mix", OperationMix.class, OperationMix.GRAMMAR,
            "send:25,peek:25,query:25,dequeue:25", "", "Weights of the operations of Mix and DatabaseOnly.");
    public static final Key<Long> SEED = Key.of("client.seed", Long.class,
            Grammar.wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE), "1", "",
            "The same seed makes the same sequence of operations.");

    public static final Key<StartAt> START_AT = Key.of("client.start.at", StartAt.class, StartAt.GRAMMAR, "ready", "",
            "When the load starts: as soon as ready, at an instant [ms UTC], or when commanded: start <ms UTC>.");
    public static final Key<Duration> WARMUP = Key.of("client.warmup", Duration.class, Grammar.duration("0", "24h"),
            "0", "", "Load before measuring; recorded, but not part of the figures.");
    public static final Key<Duration> DURATION = Key.of("client.duration", Duration.class,
            Grammar.duration("1ms", "1000h"), "60s", "", "How long to measure.");
    public static final Key<Duration> COOLDOWN = Key.of("client.cooldown", Duration.class,
            Grammar.duration("0", "24h"), "0", "", "Load after measuring; recorded, but not part of the figures.");
    public static final Key<Long> REQUESTS = Key.of("client.requests", Long.class,
            Grammar.wholeNumber(0, Long.MAX_VALUE), "0", "requests",
            "Measuring ends after that many requests of this JVM, should it come first; 0: only the time counts.");

    public static final Key<Duration> TIMEOUT = Key.of("client.timeout", Duration.class,
            Grammar.duration("1ms", "10min"), "1s", "", "A request not answered in time has failed.");
    public static final Key<Duration> CONNECT_WITHIN = Key.of("client.connect.within", Duration.class,
            Grammar.duration("100ms", "1h"), "30s", "",
            "How long clients try to connect and to find one another before the run is given up.");
    public static final Key<Duration> BACKOFF = Key.of("client.reconnect.backoff", Duration.class,
            Grammar.duration("1ms", "1min"), "50ms", "",
            "Wait before the first reconnect to the next broker; doubled at each failure.");
    public static final Key<Duration> BACKOFF_MAX = Key.of("client.reconnect.backoff.max", Duration.class,
            Grammar.duration("1ms", "10min"), "2s", "", "The longest wait between two reconnects.");
    public static final Key<Duration> PARTNER_TIMEOUT = Key.of("client.partner.timeout", Duration.class,
            Grammar.duration("100ms", "1h"), "10s", "", "A partner not heard of for so long counts as lost.");

    public static final Key<Boolean> RECORD_MESSAGES = Key.of("client.record.messages", Boolean.class,
            Grammar.flag(), "false", "",
            "Whether messages_<role>_<position>.csv says which message was sent and received when.");
    public static final Key<String> DB_URL = Key.of("client.db.url", String.class, Grammar.text("a JDBC URL"),
            "jdbc:postgresql://127.0.0.1:5432/mlmq", "", "The database of DatabaseOnly.");
    public static final Key<String> DB_USER = Key.of("client.db.user", String.class, Grammar.text("a name"), "mlmq",
            "", "User of that database; the password is MLMQ_DB_PASSWORD of the environment.");

    /** All keys, in the order of the template. */
    public static final List<Key<?>> ALL = List.of(CLIENTS, STEPS, IO_THREADS, RATE, RATE_OF, ARRIVALS, INFLIGHT_MAX,
            THINK_TIME, LATE_AFTER, MESSAGE_SIZE, PRIORITY, QUEUES, QUEUE_CHOICE, RECIPIENTS, MIX, SEED, START_AT,
            WARMUP, DURATION, COOLDOWN, REQUESTS, TIMEOUT, CONNECT_WITHIN, BACKOFF, BACKOFF_MAX, PARTNER_TIMEOUT,
            RECORD_MESSAGES, DB_URL, DB_USER);

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

    private ClientKeys() {
    }
}
