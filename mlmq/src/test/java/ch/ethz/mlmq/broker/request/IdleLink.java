package ch.ethz.mlmq.broker.request;

/** A link of an open connection that never sends anything. */
public final class IdleLink implements Link {
    private boolean congested;

    /** @return a connection with such a link */
    public static ClientConnection connection() {
        return new ClientConnection(new IdleLink(), null);
    }

    @Override
    public String address() {
        return "";
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isCongested() {
        return congested;
    }

    void congested(boolean isNow) {
        congested = isNow;
    }

    @Override
    public int answerMax() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean has(long feature) {
        return false;
    }

    @Override
    public void respond(Exchange exchange) {
        throw new AssertionError("nobody answers here");
    }

    @Override
    public void executeAgain(Exchange exchange) {
        throw new AssertionError("nothing is executed here");
    }

    @Override
    public void sendAway(String why) {
        throw new AssertionError(why);
    }
}
