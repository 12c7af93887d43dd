package ch.ethz.mlmq.storage.postgresql.membership;

import java.util.UUID;

/**
 * Who this broker is among those of its database: its name, its process, and its row, another one after each expulsion.
 */
public final class BrokerIdentity {
    private static final String APPLICATION = "mlmq-broker ";

    private final String name;
    private final String address;
    private final String instance = UUID.randomUUID().toString();
    private volatile int id;

    /**
     * @param name    tells brokers of a database apart
     * @param address where it listens, for people
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

    /** @return names this process, and no other one */
    String instance() {
        return instance;
    }

    /** @return what its sessions with the database are called */
    public String application() {
        return applicationOf(instance);
    }

    /** @return what the sessions of that process are called */
    static String applicationOf(String instance) {
        return APPLICATION + instance;
    }

    /** @return of its row among the brokers */
    public int id() {
        return id;
    }

    void become(int newId) {
        id = newId;
    }
}
