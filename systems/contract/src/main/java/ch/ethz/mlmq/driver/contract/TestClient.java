package ch.ethz.mlmq.driver.contract;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.Drivers;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import ch.ethz.mlmq.scenario.workload.MessageId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One client of a driver, which executes the requests of a test one after the other. */
final class TestClient implements AutoCloseable {
    private static final int MESSAGE_BYTES = 100;
    private static final int PATIENCE_SECONDS = 60;

    private final int number;
    private final LinkFactory links;
    private final Semaphore changes = new Semaphore(0);
    private final Link link;
    private int sent;

    /** Connects. @param number of the client in its JVM */
    TestClient(Settings settings, int number) throws InterruptedException {
        this.number = number;
        links = Drivers.named(settings.get(DriverKeys.DRIVER)).links(settings);
        link = links.open(new ClientId("Worker", 0, number), changes::release);
        while (!link.isConnected()) {
            if (!changes.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(link.state());
            }
        }
    }

    /** @return the response, which may be a failure */
    Response ask(Request request) throws Exception {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        Status submitted = link.submit(request, (tag, status, response, sentNanos, endNanos) ->
                answer.complete(response == null ? new Response.Failure(Status.BROKER_ERROR, status.name())
                        : response));
        if (submitted != Status.OK) {
            throw new IllegalStateException(submitted + ": " + link.state());
        }
        return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** @return the number of a queue, which is created if it is missing */
    int queue(String name) throws Exception {
        Response found = ask(new Request.LookupQueue(name));
        Response queue = found instanceof Response.QueueFound ? found : ask(new Request.CreateQueue(name));
        return ((Response.QueueFound) queue).queue();
    }

    /** Sends messages, and waits until each is stored. */
    void send(int queue, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            byte[] content = new LoadMessage(new MessageId(0, number, sent++), 0).encode(MESSAGE_BYTES);
            Response response = ask(new Request.SendMessage(new int[] {queue}, 0, 5, 0, "", content));
            if (response != Response.Done.INSTANCE) {
                throw new IllegalStateException(response.toString());
            }
        }
    }

    /** Publishes a message whose property {@code id} is 0. */
    void publish(int topic) throws Exception {
        byte[] content = new LoadMessage(new MessageId(0, number, sent++), 0).encode(MESSAGE_BYTES);
        ask(new TopicRequest.Publish(topic, 5, 0, "", content, MessageProperties.NONE.with("id", "0")));
    }

    /** @return a message, or null if there is none */
    Message receive(int queue, int leaseMillis) throws Exception {
        return ((Response.Delivery) ask(new Request.ReceiveMessage(MessageQuery.queue(queue), leaseMillis))).message();
    }

    List<Message> receive(int queue, int max, int leaseMillis) throws Exception {
        return ((Response.Deliveries) ask(new Request.ReceiveMessages(MessageQuery.queue(queue), max, leaseMillis)))
                .messages();
    }

    /** @return the outcome */
    Status acknowledge(Message message) throws Exception {
        Response response = ask(new Request.Acknowledge(message.id(), message.leaseToken()));
        return response instanceof Response.Failure failure ? failure.status() : Status.OK;
    }

    /** @return the outcome of each acknowledgement */
    List<Status> acknowledge(List<Lease> leases) throws Exception {
        return ((Response.LeaseStatuses) ask(new Request.AcknowledgeMessages(leases))).statuses();
    }

    @Override
    public void close() {
        link.close().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        links.close();
    }
}
