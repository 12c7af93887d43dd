package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.QueueConsumer;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Takes messages that the broker gives to consumers: of each public queue of the client's share, and of any other queue
 * that it takes from. A take gets the first message that has come, or waits for one; a message that is taken for good
 * is acknowledged at once. Other requests go to the broker as they are.
 */
final class ConsumingLink extends ForwardingLink {
    private static final long CLOSING_SECONDS = 5;
    private static final int PUBLIC = 0;
    /** Credit for a queue of one or two clients, large enough that messages nobody waits for do not block others. */
    private static final int OWN_CREDIT = 100;

    private final AsyncClient client;
    private final Terms terms;
    private final PublicQueueIds queues;
    private final Map<Integer, Pushed> byQueue = new HashMap<>();
    private final Map<Lease, Held> leased = new ConcurrentHashMap<>();
    private final Set<CompletableFuture<Void>> settling = ConcurrentHashMap.newKeySet();

    /**
     * How a client consumes.
     *
     * @param share     numbers of its public queues
     * @param credit    most messages of a queue that it has not acknowledged
     * @param waitNanos longest wait of a take [ns]
     * @param leaseMillis of a message [ms]; a killed broker keeps what it was pushing for so long
     */
    record Terms(int[] share, int credit, long waitNanos, int leaseMillis) {
        /** @return longest wait of a message; then it goes back, as its lease might end before it is settled [ns] */
        long freshNanos() {
            return TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 2;
        }
    }

    /** A message that has come. */
    private record Held(Source source, Message message, long nanos) {
    }

    /** A take that waits. */
    private record Wanted(Request.Retrieval request, Completion completion, long sentNanos) {
        int max() {
            return request instanceof Request.BulkRetrieval bulk ? bulk.max() : 1;
        }
    }

    /** @param link sends requests of the client */
    ConsumingLink(Link link, AsyncClient client, Terms terms, PublicQueueIds queues) {
        super(link);
        this.client = client;
        this.terms = terms;
        this.queues = queues;
    }

    @Override
    public Status submit(Request request, Completion completion) {
        if (request instanceof Request.Retrieval retrieval && isPushed(retrieval)) {
            return isConnected() ? take(new Wanted(retrieval, completion, System.nanoTime())) : Status.NOT_CONNECTED;
        }
        if (request instanceof Request.Acknowledge one
                && leased.containsKey(new Lease(one.message(), one.leaseToken()))) {
            return acknowledge(List.of(new Lease(one.message(), one.leaseToken())), completion, false);
        }
        if (request instanceof Request.AcknowledgeMessages many && leased.keySet().containsAll(many.leases())) {
            return acknowledge(many.leases(), completion, true);
        }
        return link.submit(request, queues.learnsFrom(request, completion));
    }

    private static boolean isPushed(Request.Retrieval retrieval) {
        MessageQuery query = retrieval.query();
        return !(retrieval instanceof Request.PeekMessage) && query.queue() != 0 && query.sender() == 0
                && query.context() == 0 && !query.toMe() && query.filter().isEmpty();
    }

    private Status take(Wanted wanted) {
        pushed(wanted.request.query().queue()).take(wanted);
        return Status.OK;
    }

    private synchronized Pushed pushed(int queue) {
        boolean isPublic = queues.has(queue);
        int key = isPublic ? PUBLIC : queue;
        Pushed known = byQueue.get(key);
        if (known == null) {
            known = new Pushed();
            byQueue.put(key, known);
            List<Integer> consumed = isPublic ? queues.ids(terms.share) : List.of(queue);
            int credit = isPublic ? terms.credit : Math.max(terms.credit, OWN_CREDIT);
            for (int id : consumed) {
                known.sources.add(new Source(known, id, credit));
            }
        }
        return known;
    }

    private Status acknowledge(List<Lease> leases, Completion completion, boolean bulk) {
        long sent = System.nanoTime();
        List<CompletableFuture<Status>> results = leases.stream().map(leased::remove)
                .map(held -> settled(held).handle((done, failure) -> statusOf(failure))).toList();
        CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).thenRun(FatalError.guarded(() ->
                settled(results.stream().map(CompletableFuture::join).toList(), completion, bulk, sent)));
        return Status.OK;
    }

    private static void settled(List<Status> statuses, Completion completion, boolean bulk, long sentNanos) {
        Optional<Status> unknown = statuses.stream().filter(status -> !status.isOnWire()).findFirst();
        Status status = unknown.orElse(bulk ? Status.OK : statuses.get(0));
        Response response = null;
        if (unknown.isEmpty() && bulk) {
            response = new Response.LeaseStatuses(statuses);
        } else if (unknown.isEmpty()) {
            response = status == Status.OK ? Response.Done.INSTANCE : new Response.Failure(status, "");
        }
        completion.completed(0, status, response, sentNanos, System.nanoTime());
    }

    private CompletableFuture<Void> settled(Held held) {
        CompletableFuture<Void> result = held.source.consumer.acknowledge(held.message);
        settling.add(result);
        result.whenComplete((done, failure) -> settling.remove(result));
        return result;
    }

    private static Status statusOf(Throwable failure) {
        Throwable reason = failure instanceof CompletionException ? failure.getCause() : failure;
        if (reason == null) {
            return Status.OK;
        }
        return reason instanceof MlmqException known ? known.status() : Status.CONNECTION_LOST;
    }

    /** Ends takes that have waited for too long. */
    synchronized void endWaits(long now) {
        byQueue.values().forEach(pushed -> pushed.endWaits(now));
    }

    @Override
    public CompletableFuture<Void> close() {
        List<CompletableFuture<Void>> last = new ArrayList<>(settling);
        synchronized (this) {
            byQueue.values().forEach(pushed -> last.addAll(pushed.close()));
        }
        return CompletableFuture.allOf(last.toArray(CompletableFuture[]::new)).orTimeout(CLOSING_SECONDS,
                TimeUnit.SECONDS).handle((done, failure) -> link.close()).thenCompose(closing -> closing);
    }

    /** The consumer of a queue. */
    private final class Source implements QueueConsumer.Listener {
        private final Pushed into;
        private final QueueConsumer consumer;

        private Source(Pushed into, int queue, int credit) {
            this.into = into;
            synchronized (this) {
                consumer = QueueConsumer.start(client, MessageQuery.queue(queue), credit, terms.leaseMillis, this);
            }
        }

        /** Waits until the consumer is known. */
        @Override
        public void received(Message message) {
            synchronized (this) {
                into.received(new Held(this, message, System.nanoTime()));
            }
        }
    }

    /** Messages that have come, or takes that wait for one. */
    private final class Pushed {
        private final List<Source> sources = new ArrayList<>();
        private final Deque<Held> come = new ArrayDeque<>();
        private final Deque<Wanted> waiting = new ArrayDeque<>();

        private void take(Wanted wanted) {
            List<Held> taken = new ArrayList<>();
            synchronized (this) {
                long oldest = System.nanoTime() - terms.freshNanos();
                while (!come.isEmpty() && taken.size() < wanted.max()) {
                    Held held = come.poll();
                    if (held.nanos - oldest > 0) {
                        taken.add(held);
                    } else {
                        held.source.consumer.release(held.message);
                    }
                }
                if (taken.isEmpty()) {
                    waiting.add(wanted);
                    return;
                }
            }
            give(wanted, taken);
        }

        private void received(Held held) {
            Wanted first;
            synchronized (this) {
                first = waiting.poll();
                if (first == null) {
                    come.add(held);
                    return;
                }
            }
            give(first, List.of(held));
        }

        private void give(Wanted wanted, List<Held> taken) {
            boolean forGood = wanted.request instanceof Request.DequeueMessage
                    || wanted.request instanceof Request.DequeueMessages;
            List<Message> messages = new ArrayList<>();
            for (Held held : taken) {
                if (forGood) {
                    settled(held);
                    messages.add(held.message.handedOut(new Message.Delivery(held.message.deliveries())));
                } else {
                    leased.put(held.message.lease(), held);
                    messages.add(held.message);
                }
            }
            answer(wanted, messages);
        }

        private void answer(Wanted wanted, List<Message> messages) {
            Response one = messages.isEmpty() ? Response.Delivery.NONE : new Response.Delivery(messages.get(0));
            wanted.completion.completed(0, Status.OK, wanted.request instanceof Request.BulkRetrieval
                    ? new Response.Deliveries(messages) : one, wanted.sentNanos, System.nanoTime());
        }

        private void endWaits(long now) {
            List<Wanted> over = new ArrayList<>();
            synchronized (this) {
                for (Iterator<Wanted> each = waiting.iterator(); each.hasNext(); ) {
                    Wanted one = each.next();
                    if (now - one.sentNanos > terms.waitNanos) {
                        each.remove();
                        over.add(one);
                    }
                }
            }
            over.forEach(one -> answer(one, List.of()));
        }

        private List<CompletableFuture<Void>> close() {
            sources.forEach(source -> source.consumer.close());
            List<Held> left;
            synchronized (this) {
                left = List.copyOf(come);
                come.clear();
            }
            return left.stream().map(held -> held.source.consumer.release(held.message)).toList();
        }
    }
}
