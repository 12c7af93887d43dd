package ch.ethz.mlmq.db;

/** Which row of the table of brokers is this broker's; another one after it was taken for dead. */
final class BrokerIdentity {
    private volatile int id;

    int id() {
        return id;
    }

    void become(int newId) {
        id = newId;
    }
}
