package ch.ethz.mlmq.storage;

/**
 * Orders calls: the calls of one lane, such as those of one connection, take effect in the order of arrival. Two
 * threads never have calls of one lane at the same time.
 */
public final class Lane {
}
