package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A link to several brokers that share nothing. What concerns one of them goes there: of n brokers the one of number b
 * has each id times n, plus b. A topic of all has a number of its own, which is multiplied in the same way to subscribe
 * at one of them. All else goes to each, and succeeds where it succeeds at all. A publish that only some brokers
 * refuse is no refused one, as the others have stored it: it ends as a failure of unknown outcome.
 */
final class EveryBrokerLink implements Link {
    /** A request with such an end may have been executed. */
    private static final Set<Status> UNKNOWN = EnumSet.of(Status.TIMEOUT, Status.CONNECTION_LOST, Status.BROKER_ERROR);
    /** A request with such an end was not executed, and a repetition may be. */
    private static final Set<Status> TRANSIENT = EnumSet.of(Status.OVERLOADED, Status.BROKER_STOPPING,
            Status.NOT_CONNECTED, Status.TOO_MANY_IN_FLIGHT);
    /** No client has this id. */
    private static final int ANOTHER = -1;

    private final List<Link> links;
    /** Ids of each topic at each broker. */
    private final List<List<Integer>> topics = new ArrayList<>();
    /** Ids of this client at the brokers. */
    private volatile int[] registered;

    /** @param links to the brokers, in their order */
    EveryBrokerLink(List<Link> links) {
        this.links = List.copyOf(links);
        this.registered = new int[links.size()];
    }

    @Override
    public Status submit(Request request, Completion completion) {
        if (request instanceof TopicRequest.Subscribe subscribe) {
            int broker = broker(subscribe.topic());
            return atOne(broker, new TopicRequest.Subscribe(topic(own(subscribe.topic()), broker), subscribe.name(),
                    subscribe.filter(), subscribe.durable()), completion);
        } else if (request instanceof Request.ReceiveMessage receive) {
            return atOne(broker(receive.query().queue()), new Request.ReceiveMessage(at(receive.query()),
                    receive.leaseMillis()), completion);
        } else if (request instanceof Request.ReceiveMessages receive) {
            return atOne(broker(receive.query().queue()), new Request.ReceiveMessages(at(receive.query()),
                    receive.max(), receive.leaseMillis()), completion);
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return atOne(broker(acknowledge.message()), new Request.Acknowledge(own(acknowledge.message()),
                    acknowledge.leaseToken()), completion);
        } else if (request instanceof Request.AcknowledgeMessages bulk) {
            // All come from one take, and so from one broker.
            return atOne(broker(bulk.leases().get(0).message()), new Request.AcknowledgeMessages(bulk.leases().stream()
                    .map(lease -> new Lease(own(lease.message()), lease.token())).toList()), completion);
        } else if (request instanceof Request.QueueLength length) {
            return atOne(broker(length.queue()), new Request.QueueLength(own(length.queue())), completion);
        }
        return atAll(request, completion);
    }

    @Override
    public boolean isConnected() {
        return links.stream().allMatch(Link::isConnected);
    }

    @Override
    public String state() {
        return links.stream().filter(link -> !link.isConnected()).findFirst().orElse(links.get(0)).state();
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(links.stream().map(Link::close).toArray(CompletableFuture[]::new));
    }

    private Status atOne(int broker, Request request, Completion completion) {
        return links.get(broker).submit(request, (tag, status, response, sentNanos, endNanos) ->
                completion.completed(tag, status, from(broker, response), sentNanos, endNanos));
    }

    private Status atAll(Request request, Completion completion) {
        Answers answers = new Answers(request, completion);
        for (int broker = 0; broker < links.size(); broker++) {
            int at = broker;
            Request own = request instanceof TopicRequest.Publish publish ? new TopicRequest.Publish(
                    topic(publish.topic(), broker), publish.priority(), publish.context(), publish.key(),
                    publish.content(), publish.properties()) : request;
            Status refused = links.get(broker).submit(own, (tag, status, response, sentNanos, endNanos) ->
                    answers.came(at, status, response, sentNanos, endNanos));
            if (refused != Status.OK && broker == 0) {
                return refused;
            } else if (refused != Status.OK) {
                long now = System.nanoTime();
                answers.came(broker, refused, null, now, now);
            }
        }
        return Status.OK;
    }

    private Response from(int broker, Response response) {
        if (response instanceof Response.QueueFound found) {
            return new Response.QueueFound(everywhere(found.queue(), broker), found.name());
        } else if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            return new Response.Delivery(from(broker, delivery.message()));
        } else if (response instanceof Response.Deliveries deliveries) {
            return new Response.Deliveries(deliveries.messages().stream().map(each -> from(broker, each)).toList());
        }
        return response;
    }

    private Message from(int broker, Message message) {
        Message.Envelope envelope = message.envelope();
        return new Message(Math.addExact(Math.multiplyExact(message.id(), links.size()), broker),
                everywhere(message.queue(), broker), new Message.Envelope(envelope.sender(),
                receiver(envelope.receiver(), broker), envelope.priority(), envelope.context(), envelope.sentMillis(),
                envelope.properties()), message.delivery(), message.content());
    }

    /** @return the only receiver of a message: this client has the id that the first broker gave it */
    private int receiver(int id, int broker) {
        if (id == 0) {
            return 0;
        }
        return id == registered[broker] ? registered[0] : ANOTHER;
    }

    private int everywhere(int id, int broker) {
        return Math.addExact(Math.multiplyExact(id, links.size()), broker);
    }

    private int broker(long id) {
        return (int) (id % links.size());
    }

    private int own(int id) {
        return id / links.size();
    }

    private long own(long id) {
        return id / links.size();
    }

    private MessageQuery at(MessageQuery query) {
        return query.inQueue(own(query.queue()));
    }

    private int topic(int number, int broker) {
        synchronized (topics) {
            return topics.get(number - 1).get(broker);
        }
    }

    /** @return the number of a topic, over 0 */
    private int number(List<Integer> ids) {
        synchronized (topics) {
            if (!topics.contains(ids)) {
                topics.add(ids);
            }
            return topics.indexOf(ids) + 1;
        }
    }

    /** The answers of all brokers to a request; the last one ends it. */
    private final class Answers {
        private final Request request;
        private final Completion completion;
        private final Response[] responses = new Response[links.size()];
        private Status worst = Status.OK;
        private Response failure;
        private int left = links.size();
        private int executed;
        private long firstNanos = Long.MAX_VALUE;

        private Answers(Request request, Completion completion) {
            this.request = request;
            this.completion = completion;
        }

        private void came(int broker, Status status, Response response, long sentNanos, long endNanos) {
            synchronized (this) {
                responses[broker] = response;
                firstNanos = Math.min(firstNanos, sentNanos);
                if (status == Status.OK) {
                    executed++;
                } else if (worst == Status.OK || weight(status) > weight(worst)) {
                    worst = status;
                    failure = response;
                }
                if (--left > 0) {
                    return;
                }
            }
            if (executed > 0 && worst != Status.OK && !UNKNOWN.contains(worst)
                    && request instanceof TopicRequest.Publish) {
                String reason = failure instanceof Response.Failure told ? worst + ": " + told.text() : worst.name();
                failure = new Response.Failure(Status.BROKER_ERROR, "published at " + executed + " of " + links.size()
                        + " brokers; another answered " + reason);
                worst = Status.BROKER_ERROR;
            }
            completion.completed(0, worst, worst == Status.OK ? together() : failure, firstNanos, endNanos);
        }

        private static int weight(Status status) {
            if (UNKNOWN.contains(status)) {
                return 2;
            }
            return TRANSIENT.contains(status) ? 1 : 0;
        }

        private Response together() {
            if (request instanceof TopicRequest.Publish) {
                int copies = 0;
                for (Response response : responses) {
                    copies += ((Response.Published) response).copies();
                }
                return new Response.Published(copies);
            } else if (responses[0] instanceof Response.TopicFound found) {
                return new Response.TopicFound(number(Stream.of(responses)
                        .map(each -> ((Response.TopicFound) each).topic()).toList()), found.name());
            }
            if (responses[0] instanceof Response.Registered) {
                registered = Stream.of(responses).mapToInt(each -> ((Response.Registered) each).client()).toArray();
            }
            return responses[0];
        }
    }
}
