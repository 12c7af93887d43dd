package ch.ethz.mlmq.protocol;

/**
 * A statement about users, roles and rights, such as {@code grant readers to alice}. Needs no registration. The
 * response is {@link Response.Report}. Needs {@link Features#STATEMENTS}.
 *
 * @param text 1..1,000 characters
 */
public record Statement(String text) implements Request {
    @Override
    public FrameType type() {
        return FrameType.STATEMENT;
    }

    @Override
    public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
        return visitor.visit(this);
    }

    /** Shows no verifier of a password. */
    @Override
    public String toString() {
        return "Statement of " + text.length() + " characters";
    }
}
