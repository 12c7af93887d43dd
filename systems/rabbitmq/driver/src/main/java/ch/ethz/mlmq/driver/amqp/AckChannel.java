package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import ch.ethz.mlmq.storage.Tokens;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Command;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A channel and its deliveries that are not acknowledged yet. RabbitMQ closes a channel that acknowledges an unknown
 * delivery, so acknowledgements go through this class. The lease of a delivery is its tag with the channel's token.
 */
final class AckChannel {
    private final Channel channel;
    private final Acknowledge way;
    private final long token = Tokens.ofALease();
    /** Queues of the open deliveries, by their tags. */
    private final ConcurrentNavigableMap<Long, Integer> open = new ConcurrentSkipListMap<>();

    /** @param way how its deliveries are acknowledged; with NONE, the server has forgotten them */
    AckChannel(Channel channel, Acknowledge way) {
        this.channel = channel;
        this.way = way;
    }

    Acknowledge way() {
        return way;
    }

    Channel channel() {
        return channel;
    }

    /** @return identifies this channel among those of all connections */
    long token() {
        return token;
    }

    /** Takes note of a delivery. Called by the thread that reads the connection, in the order of the tags. */
    void delivered(long tag, int queue) {
        if (way != Acknowledge.NONE) {
            open.put(tag, queue);
        }
    }

    /** @return number of open deliveries of a queue */
    int open(int queue) {
        return Collections.frequency(open.values(), queue);
    }

    /** Commits the channel's transaction, if no other call of it waits for the server. */
    CompletableFuture<Command> commit() throws IOException {
        return channel.asyncCompletableRpc(new AMQP.Tx.Commit.Builder().build());
    }

    /** Returns a delivery to its queue. */
    synchronized void requeue(long tag) throws IOException {
        if (open.remove(tag) != null) {
            channel.basicReject(tag, true);
        }
    }

    /** Acknowledges a delivery. */
    void acknowledge(long tag) throws IOException {
        acknowledge(List.of(tag));
    }

    /**
     * Acknowledges deliveries: with one frame if all earlier deliveries of the channel are acknowledged with them, with
     * one frame each if not, or if each is to have its own. The server does not confirm it.
     *
     * @return the tags that were not acknowledged before
     */
    synchronized Set<Long> acknowledge(List<Long> tags) throws IOException {
        NavigableSet<Long> known = new TreeSet<>(tags);
        known.retainAll(open.keySet());
        boolean together = way != Acknowledge.EACH && known.size() > 1
                && open.headMap(known.last(), true).size() == known.size();
        open.keySet().removeAll(known);
        if (together) {
            channel.basicAck(known.last(), true);
        } else {
            for (long tag : known) {
                channel.basicAck(tag, false);
            }
        }
        return known;
    }
}
