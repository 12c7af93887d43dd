package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.broker.status.BrokerStatus;
import ch.ethz.mlmq.broker.status.Counters;

/**
 * Objects that the threads of a broker share.
 *
 * @param sample one request in n is recorded, at random; 0 for none
 * @param status of the broker
 * @param memory of all connections
 */
public record BrokerContext(BrokerLimits limits, Counters counters, StageLog stageLog, int sample,
        BrokerStatus status, Connections connections, MemoryBudget memory) {
}
