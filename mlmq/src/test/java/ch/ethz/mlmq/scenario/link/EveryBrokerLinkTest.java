package ch.ethz.mlmq.scenario.link;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EveryBrokerLinkTest {
    private final Broker first = new Broker();
    private final Broker second = new Broker();
    private final EveryBrokerLink link = new EveryBrokerLink(List.of(first, second));
    private final List<Object> ended = new ArrayList<>();

    @Test
    void shouldPublishAtAllBrokersAsOneMessageWithTheCopiesOfAll() {
        assertThat(link.submit(publish(topic(7, 9)), keep())).isEqualTo(Status.OK);
        assertThat(List.of(topicOf(first.last()), topicOf(second.last()))).containsExactly(7, 9);

        second.answer(Status.OK, new Response.Published(3));
        assertThat(ended).as("the other has not answered").isEmpty();
        first.answer(Status.OK, new Response.Published(2));
        assertThat(ended).containsExactly(Status.OK, new Response.Published(5));
    }

    @Test
    void shouldFailWhatOneBrokerRefusesOnceAllHaveAnswered() {
        int topic = topic(7, 9);
        Response.Failure failure = new Response.Failure(Status.OVERLOADED, "too many");
        link.submit(publish(topic), keep());
        first.answer(Status.OVERLOADED, failure);
        assertThat(ended).as("the other has not answered").isEmpty();
        second.answer(Status.OVERLOADED, failure);
        assertThat(ended).containsExactly(Status.OVERLOADED, failure);

        first.refuses = Status.TOO_MANY_IN_FLIGHT;
        assertThat(link.submit(publish(topic), keep())).isEqualTo(Status.TOO_MANY_IN_FLIGHT);
    }

    @Test
    void shouldFailAsTheBrokerDoesThatMayExecuteARepetition() {
        link.submit(new TopicRequest.CreateTopic("topic1"), keep());
        first.answer(Status.TOPIC_EXISTS, new Response.Failure(Status.TOPIC_EXISTS, "topic1"));
        second.answer(Status.OVERLOADED, new Response.Failure(Status.OVERLOADED, "too many"));

        assertThat(ended).containsExactly(Status.OVERLOADED, new Response.Failure(Status.OVERLOADED, "too many"));
    }

    @Test
    void shouldNotCallAPublishRefusedThatSomeBrokersMayHaveStored() {
        int topic = topic(7, 9);
        link.submit(publish(topic), keep());
        first.answer(Status.OVERLOADED, new Response.Failure(Status.OVERLOADED, "too many"));
        second.answer(Status.OK, new Response.Published(2));
        assertThat(ended).containsExactly(Status.BROKER_ERROR, new Response.Failure(Status.BROKER_ERROR,
                "published at 1 of 2 brokers; another answered OVERLOADED: too many"));

        link.submit(publish(topic), keep());
        first.answer(Status.OVERLOADED, new Response.Failure(Status.OVERLOADED, "too many"));
        second.answer(Status.TIMEOUT, null);
        assertThat(ended).as("one may have stored it").containsExactly(Status.TIMEOUT, null);

        ended.clear();
        second.refuses = Status.NOT_CONNECTED;
        assertThat(link.submit(publish(topic), keep())).as("the first has it already").isEqualTo(Status.OK);
        first.answer(Status.OK, new Response.Published(2));
        assertThat(ended).containsExactly(Status.BROKER_ERROR, new Response.Failure(Status.BROKER_ERROR,
                "published at 1 of 2 brokers; another answered NOT_CONNECTED"));
    }

    @Test
    void shouldTellWhichTopicIsMissingWhereAnotherBrokerHasIt() {
        link.submit(new TopicRequest.LookupTopic("topic1"), keep());
        first.answer(Status.OK, new Response.TopicFound(7, "topic1"));
        second.answer(Status.TOPIC_DOES_NOT_EXIST, null);
        assertThat(ended).containsExactly(Status.TOPIC_DOES_NOT_EXIST, null);
    }

    @Test
    void shouldAskTheBrokerOfASubscription() {
        int topic = topic(7, 9);
        link.submit(new TopicRequest.Subscribe(topic * 2 + 1, "mine", "", false), keep());
        assertThat(second.last()).isEqualTo(new TopicRequest.Subscribe(9, "mine", "", false));
        second.answer(Status.OK, new Response.QueueFound(40, "mine"));
        int queue = ((Response.QueueFound) ended.get(1)).queue();
        register(11, 12);

        link.submit(new Request.ReceiveMessages(MessageQuery.queue(queue), 5, 1_000), keep());
        assertThat(second.last()).isEqualTo(new Request.ReceiveMessages(MessageQuery.queue(40), 5, 1_000));
        second.answer(Status.OK, new Response.Deliveries(List.of(message(100, 40, 12))));
        Message received = ((Response.Deliveries) ended.get(1)).messages().get(0);
        assertThat(received.queue()).isEqualTo(queue);
        assertThat(received.receiver()).as("the id of the client at the first broker").isEqualTo(11);

        link.submit(new Request.AcknowledgeMessages(List.of(received.lease())), keep());
        assertThat(second.last()).isEqualTo(new Request.AcknowledgeMessages(List.of(new Lease(100, 5))));
        link.submit(new Request.Acknowledge(received.id(), 5), keep());
        assertThat(second.last()).isEqualTo(new Request.Acknowledge(100, 5));
        link.submit(new Request.QueueLength(queue), keep());
        assertThat(second.last()).isEqualTo(new Request.QueueLength(40));
        assertThat(first.asked).as("only what goes to all").allMatch(request ->
                request instanceof TopicRequest.LookupTopic || request instanceof Request.Register);
    }

    @Test
    void shouldBeConnectedWhileAllBrokersAre() {
        assertThat(link.isConnected()).isTrue();
        second.connected = false;
        assertThat(link.isConnected()).isFalse();
        assertThat(link.state()).isEqualTo("away");
    }

    private int topic(int atFirst, int atSecond) {
        link.submit(new TopicRequest.LookupTopic("topic1"), keep());
        first.answer(Status.OK, new Response.TopicFound(atFirst, "topic1"));
        second.answer(Status.OK, new Response.TopicFound(atSecond, "topic1"));
        int topic = ((Response.TopicFound) ended.get(1)).topic();
        ended.clear();
        return topic;
    }

    private void register(int atFirst, int atSecond) {
        link.submit(new Request.Register("one", 0), keep());
        first.answer(Status.OK, new Response.Registered(atFirst, 1));
        second.answer(Status.OK, new Response.Registered(atSecond, 1));
    }

    private Completion keep() {
        return (tag, status, response, sentNanos, endNanos) -> {
            ended.clear();
            ended.add(status);
            ended.add(response);
        };
    }

    private static TopicRequest.Publish publish(int topic) {
        return new TopicRequest.Publish(topic, 5, 0, "", new byte[1], MessageProperties.NONE);
    }

    private static int topicOf(Request request) {
        return ((TopicRequest.Publish) request).topic();
    }

    private static Message message(long id, int queue, int receiver) {
        return new Message(id, queue, new Message.Envelope(3, receiver, 5, 0, 0), new Message.Delivery(1, 5),
                new byte[1]);
    }

    /** A link whose requests are answered by the test. */
    private static final class Broker implements Link {
        private final List<Request> asked = new ArrayList<>();
        private Completion completion;
        private Status refuses = Status.OK;
        private boolean connected = true;

        Request last() {
            return asked.get(asked.size() - 1);
        }

        void answer(Status status, Response response) {
            completion.completed(0, status, response, 1, 2);
        }

        @Override
        public Status submit(Request request, Completion whenCompleted) {
            if (refuses == Status.OK) {
                asked.add(request);
                completion = whenCompleted;
            }
            return refuses;
        }

        @Override
        public boolean isConnected() {
            return connected;
        }

        @Override
        public String state() {
            return connected ? "here" : "away";
        }

        @Override
        public CompletableFuture<Void> close() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
