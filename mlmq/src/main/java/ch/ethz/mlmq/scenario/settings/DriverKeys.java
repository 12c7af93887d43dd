package ch.ethz.mlmq.scenario.settings;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import java.util.List;
import java.util.Locale;

/**
 * Keys of drivers that several drivers share, or whose driver is not part of mlmq.jar. Each driver uses some of them,
 * and refuses the rest.
 */
public final class DriverKeys {
    /** The environment variable with the password for the address. */
    public static final String PASSWORD_VARIABLE = "MLMQ_DRIVER_PASSWORD";

    public static final Key<String> DRIVER = Key.of("client.driver", String.class,
            Grammar.text("mlmq | amqp | jms | jdbc"),
            "mlmq", "", "Clients connect to brokers of MLMQ (mlmq), RabbitMQ (amqp), ActiveMQ (jms) or tables in "
                    + "PostgreSQL (jdbc).");
    public static final Key<String> ADDRESS = Key.of("client.driver.address", String.class,
            Grammar.text("amqp://user@host:port/vhost | tcp://user@host:port | postgresql://user@host:port/database"),
            "", "", "A driver other than mlmq connects to this server. " + PASSWORD_VARIABLE + " in the environment "
                    + "is the password.");
    public static final Key<String> PREFIX = Key.of("client.driver.prefix", String.class, name(), "mlmq", "",
            "Names of queues of a driver other than mlmq begin with this. The schema of its tables has this name.");
    public static final Key<Boolean> PRIORITIES = Key.of("client.driver.priorities", Boolean.class, Grammar.flag(),
            "false", "", "Clients of a driver other than mlmq take messages by priority (true) or by age (false).");
    public static final Key<QueueKind> QUEUE = Key.of("client.driver.queue", QueueKind.class,
            Grammar.oneOf(QueueKind.class), "classic", "", "The driver amqp declares durable queues of this kind.");
    public static final Key<Delivery> DELIVERY = Key.of("client.driver.delivery", Delivery.class,
            Grammar.oneOf(Delivery.class), "persistent", "", "Clients of amqp and jms send messages that the server "
                    + "keeps on its disk (persistent), or in its memory (transient).");
    public static final Key<Take> TAKE = Key.of("client.driver.take", Take.class, Grammar.oneOf(Take.class), "get", "",
            "Clients of mlmq, amqp and jms request each message (get), or receive messages that are pushed "
                    + "(consume).");
    public static final Key<Integer> PREFETCH = Key.of("client.driver.prefetch", Integer.class,
            Grammar.integer(0, 10_000), "0", "messages",
            "A server pushes at most this many unacknowledged messages to a client's consumer. 0 means "
                    + "client.inflight.max.");
    public static final Key<Acknowledge> ACKNOWLEDGE = Key.of("client.driver.acknowledge", Acknowledge.class,
            Grammar.oneOf(Acknowledge.class), "usual", "", "A take acknowledges its messages one by one (each), "
                    + "together (batch), by taking them (none), in a transaction (transacted), or as usual for the "
                    + "system.");
    public static final Key<Integer> SESSIONS = Key.of("client.driver.sessions", Integer.class,
            Grammar.integer(1, 100), "1", "", "A client of jms or jdbc has this many sessions or connections. Each "
                    + "executes one request at a time.");

    public static final Key<String> SOURCE = Key.of("client.driver.source", String.class,
            Grammar.text("an address of this machine"), "", "", "Clients of mlmq connect from this address. Empty "
                    + "means the one that the system chooses.");

    /** All keys, in the order of the template. */
    public static final List<Key<?>> ALL = List.of(DRIVER, ADDRESS, PREFIX, PRIORITIES, QUEUE, DELIVERY, TAKE,
            PREFETCH, SOURCE, ACKNOWLEDGE, SESSIONS);

    /** Kinds of RabbitMQ's durable queues. */
    public enum QueueKind {
        /** The queue is on one node. */
        CLASSIC,
        /** The queue is replicated by Raft. */
        QUORUM
    }

    /** Where a server keeps messages. */
    public enum Delivery {
        /** On its disk, before it confirms them. */
        PERSISTENT,
        /** In its memory, so that they are lost with it. */
        TRANSIENT
    }

    /** Ways to take messages. */
    public enum Take {
        /** A client polls: each request gets a message, or the reply that there is none. */
        GET,
        /** The server pushes messages; the client takes those that have arrived, or waits for one. */
        CONSUME
    }

    /** Ways in which takes acknowledge messages. */
    public enum Acknowledge {
        /** As the driver does if nothing is set. */
        USUAL,
        /** One acknowledgement for each message. */
        EACH,
        /** One acknowledgement for all messages of a take. */
        BATCH,
        /** The server forgets messages when it hands them out. */
        NONE,
        /** Takes and sends are transactions. */
        TRANSACTED;

        /** @throws ConfigurationException if the driver has no such way */
        public static void require(Settings settings, String reason, Acknowledge... known) {
            Acknowledge wanted = settings.get(ACKNOWLEDGE);
            if (wanted != USUAL && !List.of(known).contains(wanted)) {
                throw new ConfigurationException(ACKNOWLEDGE.name() + "=" + wanted.name().toLowerCase(Locale.ROOT)
                        + ": " + reason);
            }
        }
    }

    private DriverKeys() {
    }

    private static Grammar<String> name() {
        return Grammar.of("letters, digits and _", text -> {
            Grammar.require(text.matches("[a-z][a-z0-9_]{0,39}"),
                    "must be 1..40 lower-case letters, digits and _, a letter first");
            return text;
        });
    }
}
