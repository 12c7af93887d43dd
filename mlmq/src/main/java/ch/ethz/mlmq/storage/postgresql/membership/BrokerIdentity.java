package ch.ethz.mlmq.storage.postgresql.membership;

import java.util.UUID;

/** The identity of a broker in its database: its name, its process, and its row, which changes after each expulsion. */
public final class BrokerIdentity {
    private static final String APPLICATION = "mlmq-broker ";

    private final String name;
    private final String address;
    private final String instance = UUID.randomUUID().toString();
    private volatile int id;

    /**
     * @param name    identifies the broker among those of the database
     * @param address address it listens on, for people
     */
    public BrokerIdentity(String name, String address) {
        this.name = name;
        this.address = address;
    }

    String name() {
        return name;
    }

    String address() {
        return address;
    }

    /** @return the unique name of this process */
    String instance() {
        return instance;
    }

    /** @return name of its sessions in the database */
    public String application() {
        return applicationOf(instance);
    }

    /** @return name of that process's sessions */
    static String applicationOf(String instance) {
        return APPLICATION + instance;
    }

    /** @return id of its row in the table of brokers */
    public int id() {
        return id;
    }

    void become(int newId) {
        id = newId;
    }
}
