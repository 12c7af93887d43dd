package ch.ethz.mlmq.broker;

/**
 * What the threads of a broker share.
 *
 * @param sample one request in n is recorded, at random, 0 for none
 * @param status of the broker
 * @param memory of all connections
 */
record BrokerContext(BrokerLimits limits, Counters counters, StageLog stageLog, int sample,
        BrokerStatus status, Connections connections, MemoryBudget memory) {
}
