package ch.ethz.mlmq.db;

/**
 * What keeps order: the calls of one lane, such as those of one connection, take effect in the order in which they
 * came. Calls of one lane are never with two threads at once, so that a storage may note here where it is.
 */
public final class Lane {
    // Notes of the plan in which its calls are executed.
    long plan;
    Call lastCall;
    int lastPhase;
    int nextHotPhase;
}
