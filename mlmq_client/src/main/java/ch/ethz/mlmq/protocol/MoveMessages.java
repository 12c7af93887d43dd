package ch.ethz.mlmq.protocol;

/**
 * Moves messages that are not leased to another queue, or removes them. They keep their ids, and so their places; dead
 * letters are delivered as often as new messages. The response is {@link Response.Moved}. Needs {@link Features#MOVES}.
 *
 * @param queue  public, or the client's own
 * @param target public, or the client's own; 0 to remove the messages
 * @param max    most messages, 1..1,000
 */
public record MoveMessages(int queue, int target, int max) implements Request {
    @Override
    public FrameType type() {
        return FrameType.MOVE_MESSAGES;
    }

    @Override
    public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
        return visitor.visit(this);
    }
}
