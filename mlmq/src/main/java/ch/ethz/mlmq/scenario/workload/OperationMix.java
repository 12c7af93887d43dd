package ch.ethz.mlmq.scenario.workload;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.protocol.FrameType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** The frequencies of a client's operations. */
public final class OperationMix {
    /** The syntax {@code send:25,peek:25,query:25,dequeue:25}; operations that are not named do not occur. */
    public static final Grammar<OperationMix> GRAMMAR =
            Grammar.of("send:25,peek:25,query:25,dequeue:25 (also receive, echo)", OperationMix::parse);

    private static final Operation[] OPERATIONS = Operation.values();

    private final Map<Operation, Double> weights;
    private final Choice choice;

    /** Operations of a mix. */
    public enum Operation {
        /** Puts a message into a queue. */
        SEND(FrameType.SEND_MESSAGE),
        /** Reads a message of a queue without removing it. */
        PEEK(FrameType.PEEK_MESSAGE),
        /** Asks which queues have messages. */
        QUERY(FrameType.QUEUES_WITH_PENDING_MESSAGES),
        /** Dequeues a message. */
        DEQUEUE(FrameType.DEQUEUE_MESSAGE),
        /** Is answered by the broker alone. */
        ECHO(FrameType.ECHO),
        /** Receives a message under a lease, and acknowledges it with the next request. */
        RECEIVE(FrameType.RECEIVE_MESSAGE, FrameType.ACKNOWLEDGE);

        private final List<FrameType> frames;

        Operation(FrameType... frames) {
            this.frames = List.of(frames);
        }
    }

    /** @param weights in any unit, not all 0 */
    public OperationMix(Map<Operation, Double> weights) {
        this.weights = Map.copyOf(weights);
        double[] ordered = new double[OPERATIONS.length];
        weights.forEach((operation, weight) -> ordered[operation.ordinal()] = weight);
        choice = Choice.weighted(ordered);
    }

    /** @return the next operation */
    public Operation next(RandomGenerator random) {
        return OPERATIONS[choice.next(random)];
    }

    /** @return true if the operation occurs */
    public boolean has(Operation operation) {
        return weights.getOrDefault(operation, 0.0) > 0;
    }

    /** @return the types of requests of its operations */
    public Set<FrameType> frames() {
        return Arrays.stream(OPERATIONS).filter(this::has).flatMap(operation -> operation.frames.stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static OperationMix parse(String text) {
        Grammar<Operation> operations = Grammar.oneOf(Operation.class);
        Map<Operation, Double> weights = new EnumMap<>(Operation.class);
        for (String part : text.split("[, ]+")) {
            String[] halves = part.split(":", -1);
            Grammar.require(halves.length == 2, "'%s' must read operation:weight", part);
            Operation operation = operations.parse(halves[0].toLowerCase(Locale.ROOT));
            double weight = Grammar.decimal(0, 1_000_000).parse(halves[1]);
            Grammar.require(weights.put(operation, weight) == null, "%s is there twice", halves[0]);
        }
        return new OperationMix(weights);
    }
}
