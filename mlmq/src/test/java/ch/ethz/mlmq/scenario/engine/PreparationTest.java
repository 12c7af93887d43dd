package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.jvm.Scenarios;
import ch.ethz.mlmq.scenario.link.ConnectedLink;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.recording.Registrations;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that finds nothing, and creates nothing because it is there. */
class PreparationTest {
    private final LinkFactory links = ConnectedLink.each((request, completion) -> {
        Status status = answer(request);
        completion.completed(0, status, new Response.Failure(status, "of a test"), 0, 0);
        return Status.OK;
    });
    private final Settings settings = Settings.of(ClientJvm.keys(), Map.of("common.scenario.mytype", "client",
            "common.scenario.mapping.client", "Publisher#127.0.0.1"));
    private final Member member = new Member(new ClientId("Publisher", 0, 0), links, new AtomicInteger());

    @Test
    void shouldSayThatATopicIsNeitherFoundNorCreated() {
        LoadTopics topics = new LoadTopics("Publisher", settings, links, new Registrations(Recorder.NONE), () -> 0);

        assertThatThrownBy(() -> topics.topics(member, soon())).isInstanceOf(LoadException.class)
                .hasMessage("the topic topic1 could not be created: of a test");
    }

    @Test
    void shouldSayThatAQueueIsNeitherFoundNorCreated() {
        Directory directory = new Directory(Scenarios.named("Mix"), settings);

        assertThatThrownBy(() -> directory.publicQueues(member, soon())).isInstanceOf(LoadException.class)
                .hasMessage("the queue queue1 could not be created: of a test");
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    }

    private static Status answer(Request request) {
        if (request instanceof Request.CreateQueue) {
            return Status.QUEUE_EXISTS;
        }
        if (request instanceof Request.LookupQueue) {
            return Status.QUEUE_DOES_NOT_EXIST;
        }
        return request instanceof TopicRequest.CreateTopic ? Status.TOPIC_EXISTS : Status.TOPIC_DOES_NOT_EXIST;
    }
}
