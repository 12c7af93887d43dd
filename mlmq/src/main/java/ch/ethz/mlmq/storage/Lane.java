package ch.ethz.mlmq.storage;

/**
 * What keeps order: the calls of one lane, such as those of one connection, take effect in the order in which they
 * came. Calls of one lane are never with two threads at once.
 */
public final class Lane {
}
