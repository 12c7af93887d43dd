package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import ch.ethz.mlmq.scenario.workload.ForeignMessageException;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Checks of received messages that all kinds of clients share. */
final class Received {
    private static final Set<Status> NOT_EXECUTED = EnumSet.of(Status.OVERLOADED, Status.BROKER_STOPPING,
            Status.NOT_CONNECTED, Status.TOO_MANY_IN_FLIGHT, Status.BROKER_FULL, Status.NOT_REGISTERED);

    private Received() {
    }

    /**
     * Checks a message that may also be one of {@code dbscript -fill}, which has no sender.
     *
     * @throws UnexpectedAnswerException as {@link #by}
     */
    static void check(ClientContext context, Message message) throws UnexpectedAnswerException {
        if (message.sender() != 0) {
            by(context, message);
        }
    }

    /**
     * @return the message as it was sent
     * @throws UnexpectedAnswerException if it is damaged, foreign, or for another receiver
     */
    static LoadMessage by(ClientContext context, Message message) throws UnexpectedAnswerException {
        if (message.receiver() != 0 && message.receiver() != context.around().id()) {
            throw new UnexpectedAnswerException("WRONG_RECEIVER", context.id().name() + ", which is client "
                    + context.around().id() + ", got a message for client " + message.receiver());
        }
        try {
            return LoadMessage.decode(message.content());
        } catch (ForeignMessageException e) {
            throw new UnexpectedAnswerException("FOREIGN_MESSAGE", e.getMessage());
        }
    }

    /** @throws UnexpectedAnswerException if a lease could not be acknowledged */
    static void settled(ClientContext context, List<Status> statuses) throws UnexpectedAnswerException {
        List<Status> failures = statuses.stream().filter(status -> status != Status.OK).toList();
        if (!failures.isEmpty()) {
            throw new UnexpectedAnswerException(failures.get(0).name(), context.id().name() + " acknowledged "
                    + statuses.size() + " messages, and " + failures.size() + " of their leases failed");
        }
    }

    /** @throws UnexpectedAnswerException if the bytes differ from those that were sent */
    static void echo(Request.Echo sent, Response.Echoed back) throws UnexpectedAnswerException {
        if (!Arrays.equals(sent.content(), back.content())) {
            throw new UnexpectedAnswerException("WRONG_ECHO", sent.content().length + " bytes were sent, and other "
                    + back.content().length + " bytes came back");
        }
    }

    /** @return true if a request of that status was certainly not executed, so that it may be repeated */
    static boolean surelyNotExecuted(Status status) {
        return NOT_EXECUTED.contains(status);
    }
}
