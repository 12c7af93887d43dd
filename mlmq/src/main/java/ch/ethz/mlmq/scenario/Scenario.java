package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/**
 * A kind of client, found by its name.
 *
 * @param name        in mappings, on the command line and in logs
 * @param description one line for people
 * @param needs       what the engine prepares before such a client may start
 * @param operations  that its clients use, depending on the settings; they decide which systems can run it
 * @param client      makes the behaviour of one client
 */
public record Scenario(String name, String description, Set<Need> needs,
        Function<Settings, Set<FrameType>> operations, Function<ClientContext, Behaviour> client) {
    private static final Set<FrameType> SENDS = EnumSet.of(FrameType.SEND_MESSAGE, FrameType.SEND_MESSAGES,
            FrameType.SEND_MESSAGE_TO_CLIENT, FrameType.SEND_REQUEST_TO_CLIENT);
    private static final Set<FrameType> TAKES = EnumSet.of(FrameType.DEQUEUE_MESSAGE, FrameType.DEQUEUE_MESSAGES,
            FrameType.RECEIVE_MESSAGE, FrameType.RECEIVE_MESSAGES);

    /** Preparations of the engine before the load. */
    public enum Need {
        /** The client is registered by its name. */
        REGISTRATION,
        /** The public queues exist. */
        QUEUES,
        /** The clients of the same scenario in all JVMs are registered. */
        PEERS,
        /** The partner of this client is registered. */
        PARTNER,
        /** There is a queue for this client and its partner only. */
        PAIR_QUEUE,
        /** The topics exist. */
        TOPICS,
        /** This client's subscriptions of the topics are made. */
        SUBSCRIPTIONS,
        /** Requests go to PostgreSQL by JDBC, and no broker takes part. */
        DATABASE_ONLY,
        /** Messages are long enough for a counter. */
        COUNTER,
        /** A client sends one request at a time, as each depends on the response to the last. */
        TURNS,
        /** {@code client.requests} sets the number of requests. */
        REQUESTS
    }

    /** Copies the set of needs. */
    public Scenario {
        needs = Set.copyOf(needs);
    }

    /** Makes a scenario without a list of operations: it runs on MLMQ only, which has every operation. */
    public Scenario(String name, String description, Set<Need> needs, Function<ClientContext, Behaviour> client) {
        this(name, description, needs, settings -> EnumSet.allOf(FrameType.class), client);
    }

    /** @return the same scenario, which uses only these operations */
    public Scenario using(FrameType... used) {
        Set<FrameType> operations = Set.of(used);
        return using(settings -> operations);
    }

    /** @return the same scenario, whose operations depend on the settings */
    public Scenario using(Function<Settings, Set<FrameType>> used) {
        return new Scenario(name, description, needs, used, client);
    }

    /** @return true if its clients receive what clients of the same JVM send, so that a JVM can do without others */
    public boolean canPairOwn(Settings settings) {
        Set<FrameType> used = operations.apply(settings);
        return !needs(Need.PAIR_QUEUE) && used.stream().anyMatch(SENDS::contains)
                && used.stream().anyMatch(TAKES::contains);
    }

    /** @return true if clients of this kind need it */
    public boolean needs(Need need) {
        return needs.contains(need);
    }
}
