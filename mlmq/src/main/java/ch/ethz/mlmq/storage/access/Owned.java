package ch.ethz.mlmq.storage.access;

/**
 * The facts about a queue or a client that decide who may use it.
 *
 * @param name    by which rights are granted; of a queue of dead letters that of the queue that they come from
 * @param client  id of the client that owns the queue, or that it is; 0 for a public queue
 * @param account name of the user that owns it; empty if none does
 * @param isFinal true if the facts never change: those of a queue of dead letters follow the queue that they come from,
 *                and a client without a user may get one
 */
public record Owned(String name, int client, String account, boolean isFinal) {
}
