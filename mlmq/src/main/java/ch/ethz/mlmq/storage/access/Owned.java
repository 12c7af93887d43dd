package ch.ethz.mlmq.storage.access;

/**
 * The facts about a queue or a client that decide who may use it. They never change, but for an account that is empty.
 *
 * @param name    by which rights are granted; of a queue of dead letters that of the queue that they come from
 * @param client  id of the client that owns the queue, or that it is; 0 for a public queue
 * @param account name of the user that owns it; empty if none does
 */
public record Owned(String name, int client, String account) {
}
