package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.access.Users;
import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.broker.status.BrokerStatus;
import ch.ethz.mlmq.broker.status.Counters;

/**
 * Objects that the threads of a broker share.
 *
 * @param status of the broker
 * @param memory of all connections
 * @param doors  how connections come in
 */
public record BrokerContext(BrokerLimits limits, Counters counters, StageLog stageLog,
        BrokerStatus status, Connections connections, MemoryBudget memory,
        Doors doors) {
    /**
     * How connections come in.
     *
     * @param tls   of the port; null if it has none
     * @param users who may sign in
     */
    public record Doors(ServerTls tls, Users users) {
    }

    ServerTls tls() {
        return doors.tls;
    }

    Users users() {
        return doors.users;
    }
}
