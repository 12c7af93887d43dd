package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.db.Storage;
import ch.ethz.mlmq.db.StorageException;
import ch.ethz.mlmq.log.Agent;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Clears up behind connections that are gone, in a thread of its own: as often as it takes for the storage to take it. */
final class Departures implements Agent {
    private static final Logger LOG = Logger.getLogger(Departures.class.getName());

    private final Storage storage;
    private final Presence presence;
    private final WaitingRoom waitingRoom;
    private final Queue<Storage.Session> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<Message> messages = new ConcurrentLinkedQueue<>();
    private List<Storage.Session> leaving = List.of();
    private List<Message> returning = List.of();

    Departures(Storage storage, Presence presence, WaitingRoom waitingRoom) {
        this.storage = storage;
        this.presence = presence;
        this.waitingRoom = waitingRoom;
    }

    /** Called by the connection's I/O thread: its requests that wait for a message are answered without one. */
    void waitNoMore(ClientConnection connection) {
        waitingRoom.sendHome(connection);
    }

    /** Called by the connection's I/O thread. */
    void left(ClientConnection connection) {
        waitingRoom.forget(connection);
        Storage.Session session = connection.session();
        if (session != null) {
            presence.release(connection.name(), connection);
            sessions.add(session);
        }
    }

    /** Called by any thread: the session is over. */
    void left(Storage.Session session) {
        sessions.add(session);
    }

    /** Called by an I/O thread: a message that was taken and cannot be handed over goes back into its queue. */
    void undeliverable(Exchange exchange) {
        switch (exchange.request().type()) {
            case DEQUEUE_MESSAGE, RECEIVE_MESSAGE -> {
                if (exchange.response() instanceof Response.Delivery delivery && delivery.message() != null) {
                    messages.add(delivery.message());
                }
            }
            case DEQUEUE_MESSAGES -> {
                if (exchange.response() instanceof Response.Deliveries deliveries) {
                    messages.addAll(deliveries.messages());
                }
            }
            default -> { }
        }
    }

    @Override
    public String roleName() {
        return "departures";
    }

    @Override
    public int doWork() {
        leaving = leaving.isEmpty() ? drain(sessions) : leaving;
        returning = returning.isEmpty() ? drain(messages) : returning;
        int count = leaving.size() + returning.size();
        try {
            if (!returning.isEmpty()) {
                storage.putBack(returning);
                returning = List.of();
            }
            if (!leaving.isEmpty()) {
                storage.offline(leaving);
                leaving = List.of();
            }
            return count;
        } catch (StorageException e) {
            LOG.log(Level.FINE, e, () -> "departures have to wait: " + e.getMessage());
            return 0;
        }
    }

    /** One last time; what the storage does not take now is cleared up by the next broker. */
    @Override
    public void onClose() {
        while (doWork() > 0) {
            // until nothing is left
        }
    }

    private static <T> List<T> drain(Queue<T> queue) {
        List<T> all = new ArrayList<>();
        for (T next = queue.poll(); next != null; next = queue.poll()) {
            all.add(next);
        }
        return all;
    }
}
