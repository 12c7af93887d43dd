package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.access.Users;
import ch.ethz.mlmq.broker.audit.AuditLog;
import ch.ethz.mlmq.broker.audit.Refusal;
import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.broker.limits.Quota;
import ch.ethz.mlmq.broker.limits.Shares;
import ch.ethz.mlmq.broker.status.BrokerStatus;
import ch.ethz.mlmq.broker.status.Counters;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;

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
     * @param tls         of the port; null if it has none
     * @param users       who may sign in
     * @param ofUsers     what each user has of the broker
     * @param ofAddresses what each address has of it
     */
    public record Doors(ServerTls tls, Users users, Shares ofUsers, Shares ofAddresses) {
        /** @return doors with the limits of the settings */
        public static Doors of(Settings settings, ServerTls tls, Users users) {
            return new Doors(tls, users, new Shares(Quota.ofUsers(settings)), new Shares(Quota.ofAddresses(settings)));
        }
    }

    /**
     * Counts a request or a connection that is beyond a limit of its user or address.
     *
     * @param obstacle the limit
     * @return its response
     */
    Response.Failure limited(AuditLog.Who who, String obstacle) {
        users().audit().refused(Refusal.LIMIT, who);
        counters.limited.increment();
        return new Response.Failure(Status.OVERLOADED, obstacle);
    }

    ServerTls tls() {
        return doors.tls;
    }

    Users users() {
        return doors.users;
    }
}
