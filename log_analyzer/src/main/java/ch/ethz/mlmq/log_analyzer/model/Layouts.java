package ch.ethz.mlmq.log_analyzer.model;

/**
 * Compares a broker for each publisher with a broker for each subscriber. Henjes (5.47)–(5.50). Assumes equal machines
 * and equal rates, and that subscribers have the same number of filters, all of them different.
 *
 * @param costs       of a message at one broker, filters linear
 * @param utilisation that is allowed
 * @param publishers  n
 * @param subscribers m
 * @param filters     of each subscriber
 * @param copies      E[R] of a message, over all subscribers
 */
public record Layouts(BrokerCosts costs, double utilisation, double publishers, double subscribers, double filters,
        double copies) {

    /** @return highest rate of all publishers with a broker for each of them [1/s] (5.48) */
    public double publisherSide() {
        return publishers * costs.capacity(utilisation, subscribers * filters, 0, copies);
    }

    /** @return highest rate of all publishers with a broker for each subscriber [1/s] (5.49) */
    public double subscriberSide() {
        return costs.capacity(utilisation, filters, 0, copies);
    }

    /** @return messages between brokers and subscribers at this rate [1/s] */
    public double publisherSideLoad(double rate) {
        return rate * copies;
    }

    /** @return messages between publishers and brokers at this rate [1/s] */
    public double subscriberSideLoad(double rate) {
        return rate * subscribers;
    }

    /** @return number of publishers above which brokers at the publishers have the higher capacity (5.50) */
    public double breakEvenPublishers() {
        return costs.serviceTime(subscribers * filters, 0, copies) / costs.serviceTime(filters, 0, copies);
    }
}
