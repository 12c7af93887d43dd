package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.workload.ForeignMessageException;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Counts messages acknowledged as stored, received messages, and requests of unknown outcome. On demand it writes each
 * message's id, so that the sets of sender, receiver and database can be compared.
 */
public final class MessageLedger implements Closeable {
    private static final Logger LOG = Logger.getLogger(MessageLedger.class.getName());
    private static final Set<Status> OUTCOME_UNKNOWN =
            EnumSet.of(Status.TIMEOUT, Status.CONNECTION_LOST, Status.BROKER_ERROR);

    private final BufferedWriter lines;
    /** Received messages that are not acknowledged yet. */
    private final Map<Lease, Message> leased = new ConcurrentHashMap<>();
    private final LongAdder sent = new LongAdder();
    private final LongAdder published = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder receivedFilling = new LongAdder();
    private final LongAdder unansweredSends = new LongAdder();
    private final LongAdder unansweredDequeues = new LongAdder();

    private MessageLedger(BufferedWriter lines) {
        this.lines = lines;
    }

    /** @return a ledger that writes no file */
    public static MessageLedger counting() {
        return new MessageLedger(null);
    }

    /** @param file of lines {@code sent|received;<message id>;<ms UTC>}, one for each queue a message was put into */
    public static MessageLedger writing(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        return new MessageLedger(Files.newBufferedWriter(file));
    }

    /**
     * Records an executed request.
     *
     * @return the messages that it acknowledged
     */
    List<Message> answered(Request request, Response response) {
        List<Message> acknowledged = new ArrayList<>();
        if (request instanceof Request.Send send) {
            sent(send.content(), request instanceof Request.SendMessage message ? message.queues().length : 1);
        } else if (request instanceof Request.SendMessages bulk) {
            for (OutgoingMessage message : bulk.messages()) {
                sent(message.content(), 1);
            }
        } else if (request instanceof TopicRequest.Publish publish && response instanceof Response.Published stored) {
            published.increment();
            sent(publish.content(), stored.copies());
        } else if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            delivered(request, List.of(delivery.message()));
        } else if (response instanceof Response.Deliveries deliveries) {
            delivered(request, deliveries.messages());
        } else if (request instanceof Request.Acknowledge one) {
            acknowledged(leaseOf(one), acknowledged);
        } else if (request instanceof Request.AcknowledgeMessages bulk
                && response instanceof Response.LeaseStatuses settled) {
            for (int i = 0; i < bulk.leases().size(); i++) {
                if (settled.statuses().get(i) == Status.OK) {
                    acknowledged(bulk.leases().get(i), acknowledged);
                } else {
                    leased.remove(bulk.leases().get(i));
                }
            }
        }
        return acknowledged;
    }

    /** Records a request that was not executed, or may have been. */
    void failed(Request request, Status status) {
        if (request instanceof Request.Acknowledge acknowledge) {
            leased.remove(leaseOf(acknowledge));
        } else if (request instanceof Request.AcknowledgeMessages bulk) {
            bulk.leases().forEach(leased::remove);
        }
        if (!OUTCOME_UNKNOWN.contains(status)) {
            return;
        }
        switch (request.type()) {
            case SEND_MESSAGE, SEND_MESSAGE_TO_CLIENT, SEND_REQUEST_TO_CLIENT, SEND_RESPONSE_TO_CLIENT, SEND_MESSAGES,
                    PUBLISH ->
                    unansweredSends.increment();
            case DEQUEUE_MESSAGE, DEQUEUE_MESSAGES, ACKNOWLEDGE, ACKNOWLEDGE_MESSAGES -> unansweredDequeues.increment();
            default -> { }
        }
    }

    /** @return number of messages acknowledged as stored, counted once for each queue */
    public long sent() {
        return sent.sum();
    }

    /** @return number of messages acknowledged as published, each once however many subscriptions got it */
    public long published() {
        return published.sum();
    }

    /** @return number of received messages that have no client as sender: those of {@code dbscript -fill} */
    public long receivedFilling() {
        return receivedFilling.sum();
    }

    /** @return messages received and thereby gone from their queue, or acknowledged; sent by a client */
    public long received() {
        return received.sum();
    }

    /** @return number of requests to store messages that may have been executed */
    public long unansweredSends() {
        return unansweredSends.sum();
    }

    /** @return number of requests to remove messages that may have been executed */
    public long unansweredDequeues() {
        return unansweredDequeues.sum();
    }

    @Override
    public void close() throws IOException {
        if (lines != null) {
            synchronized (lines) {
                lines.close();
            }
        }
    }

    private static Lease leaseOf(Request.Acknowledge acknowledge) {
        return new Lease(acknowledge.message(), acknowledge.leaseToken());
    }

    /** A peeked message stays in its queue, so it counts as neither received nor leased. */
    private void delivered(Request request, List<Message> messages) {
        switch (request.type()) {
            case DEQUEUE_MESSAGE, DEQUEUE_MESSAGES -> messages.forEach(this::received);
            case RECEIVE_MESSAGE, RECEIVE_MESSAGES -> messages.forEach(message -> leased.put(message.lease(), message));
            default -> { }
        }
    }

    private void acknowledged(Lease lease, List<Message> acknowledged) {
        Message message = leased.remove(lease);
        if (message != null) {
            received(message);
            acknowledged.add(message);
        }
    }

    private void sent(byte[] content, int copies) {
        sent.add(copies);
        for (int i = 0; lines != null && i < copies; i++) {
            write("sent", content);
        }
    }

    private void received(Message message) {
        if (message.sender() == 0) {
            receivedFilling.increment();
            return;
        }
        received.increment();
        if (lines != null) {
            write("received", message.content());
        }
    }

    private void write(String what, byte[] content) {
        try {
            String line = what + ";" + LoadMessage.decode(content).id() + ";" + System.currentTimeMillis() + "\n";
            synchronized (lines) {
                lines.write(line);
            }
        } catch (ForeignMessageException e) {
            LOG.log(Level.FINE, "a message without an id is counted as an error elsewhere", e);
        } catch (IOException e) {
            LOG.log(Level.SEVERE, "writing the record of messages failed, so it is incomplete", e);
        }
    }
}
