package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/**
 * A kind of client, found by its name.
 *
 * @param name        in mappings, on the command line, in logs
 * @param description one line for people
 * @param needs       what must be there before such a client may start
 * @param operations  that its clients use, by the settings; they say which systems can run it
 * @param client      makes the behaviour of one client
 */
public record Scenario(String name, String description, Set<Need> needs,
        Function<Settings, Set<FrameType>> operations, Function<ClientContext, Behaviour> client) {

    /** What the engine sees to before the load. */
    public enum Need {
        /** The client is registered by its name. */
        REGISTRATION,
        /** The public queues exist. */
        QUEUES,
        /** The clients of the same scenario in all JVMs are known. */
        PEERS,
        /** The one client that this one works with is known. */
        PARTNER,
        /** A queue for this client and its partner alone exists. */
        PAIR_QUEUE,
        /** Requests go to PostgreSQL by JDBC, and no broker takes part. */
        DATABASE_ONLY,
        /** Messages have room for a counter. */
        COUNTER,
        /** One request at a time, as each depends on the answer to the last. */
        TURNS,
        /** {@code client.requests} says how many there are to be. */
        REQUESTS
    }

    /** Copies what could change. */
    public Scenario {
        needs = Set.copyOf(needs);
    }

    /** A scenario of which nobody said what it uses: for MLMQ, which has every operation. */
    public Scenario(String name, String description, Set<Need> needs, Function<ClientContext, Behaviour> client) {
        this(name, description, needs, settings -> EnumSet.allOf(FrameType.class), client);
    }

    /** @return the same, of which is known that it uses these operations alone */
    public Scenario using(FrameType... used) {
        Set<FrameType> operations = Set.of(used);
        return using(settings -> operations);
    }

    /** @return the same, whose settings say what it uses */
    public Scenario using(Function<Settings, Set<FrameType>> used) {
        return new Scenario(name, description, needs, used, client);
    }

    /** @return whether clients of this kind need that */
    public boolean needs(Need need) {
        return needs.contains(need);
    }
}
