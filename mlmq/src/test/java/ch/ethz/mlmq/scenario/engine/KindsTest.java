package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.Mover;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Subscribed;
import ch.ethz.mlmq.scenario.Subscribed.Subscription;
import ch.ethz.mlmq.scenario.Surroundings;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.jvm.Scenarios;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.RunLogs;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KindsTest {
    private static final int REQUESTS = 600;

    private final MemoryBroker broker = new MemoryBroker();

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    @Test
    void shouldRaiseTheCounterOfAOneWayMessageWithEachHop() throws Exception {
        run("OneWayClient", 4);

        int highest = 0;
        for (Message message : broker.stored()) {
            highest = Math.max(highest, LoadMessage.decode(message.content()).counter());
        }
        assertThat(broker.stored()).isNotEmpty().hasSizeLessThanOrEqualTo(4);
        assertThat(highest).as("600 requests of 4 clients, half of them sends").isGreaterThan(20);
    }

    @Test
    void shouldHandLarrysMessagesToTheReceiverNamedAndToNobodyElse() throws Exception {
        RunSummary summary = run("Larry", 4);

        assertThat(summary.ledger().received()).isPositive();
        assertThat(broker.stored()).allMatch(message -> message.receiver() != 0
                && message.receiver() != message.sender());
    }

    @Test
    void shouldCountAMessageForSomebodyElseAsAnError() throws Exception {
        broker.ignoreReceivers();

        RunSummary summary = loadRun("Larry", "Larry#127.0.0.1", 0, 4).run().orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).errors()).containsOnlyKeys("WRONG_RECEIVER");
    }

    @Test
    void shouldAnswerEachRequestOfAPairWithItsOwnContext() throws Exception {
        RunSummary summary = run("PairedClient", 6);

        assertThat(summary.ledger().received()).isGreaterThan(50);
        assertThat(broker.executedBy("PairedClient_0_0")).anyMatch(line -> line.endsWith("sendRequestToClient"))
                .noneMatch(line -> line.endsWith("sendResponseToClient"));
        assertThat(broker.executedBy("PairedClient_0_1")).anyMatch(line -> line.endsWith("sendResponseToClient"))
                .noneMatch(line -> line.endsWith("sendRequestToClient"));
    }

    @Test
    void shouldCountAnAnswerThatBelongsToAnotherRequestAsAnError() throws Exception {
        broker.mixContextsUp();

        RunSummary summary = loadRun("PairedClient", "PairedClient#127.0.0.1", 0, 2).run().orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).errors()).containsKey("WRONG_CONTEXT");
    }

    @Test
    void shouldCountADamagedMessageAsAnError() throws Exception {
        broker.damageMessages();

        RunSummary summary = loadRun("OneWayClient", "OneWayClient#127.0.0.1", 0, 2).run().orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).errors()).containsOnlyKeys("FOREIGN_MESSAGE");
    }

    @Test
    void shouldTieTolaAndMarujaByOneQueueAndAContext() throws Exception {
        String mapping = "Tola#127.0.0.1;Maruja#127.0.0.1";
        LoadRun tola = loadRun("Tola", mapping, 0, 2, "client.requests", "0", "client.duration", "1h");
        LoadRun maruja = loadRun("Maruja", mapping, 1, 2, "client.requests", "0", "client.duration", "1h");
        CompletableFuture<RunSummary> client = CompletableFuture.supplyAsync(() -> finished(tola));
        CompletableFuture<RunSummary> server = CompletableFuture.supplyAsync(() -> finished(maruja));

        LoadRunTest.await(() -> broker.executedBy("Maruja_1_0").stream().filter(line -> line.contains(" send "))
                .count() > 11);
        tola.shutDown();
        maruja.shutDown();

        assertThat(client.get().ledger().received()).isGreaterThan(10);
        assertThat(client.get().recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(server.get().recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(server.get().ledger().sent()).isGreaterThan(10);
    }

    @Test
    void shouldReceiveOnlyWhatTheSameJvmSentWhereItIsPairedWithItself() throws Exception {
        for (String kind : List.of("OneWayClient", "PairedClient", "Larry", "Mix")) {
            List<LoadRun> runs = new ArrayList<>();
            for (int position = 0; position < 2; position++) {
                runs.add(loadRun(kind, kind + "#127.0.0.1,127.0.0.1", position, 4, "client.pairing", "own",
                        "client.queues", "5", "client.mix", "send:50,dequeue:25,receive:25"));
            }
            List<CompletableFuture<RunSummary>> summaries = runs.stream()
                    .map(run -> CompletableFuture.supplyAsync(() -> finished(run))).toList();

            for (CompletableFuture<RunSummary> summary : summaries) {
                assertThat(summary.get().recording().counts(Phase.MEASURING).errors()).as(kind).isEmpty();
                assertThat(summary.get().ledger().received()).as(kind).isPositive();
                assertThat(summary.get().toJson().toString()).contains("\"pairing\":\"own\"");
            }
        }
        assertThat(broker.taken()).hasSizeGreaterThan(8);
        for (Map.Entry<ClientId, List<Message>> taken : broker.taken().entrySet()) {
            for (Message message : taken.getValue()) {
                assertThat(LoadMessage.decode(message.content()).id().position()).as(taken.getKey().name())
                        .isEqualTo(taken.getKey().position());
            }
        }
    }

    @Test
    void shouldSendAlicesMessageToSeveralQueuesAtOnce() throws Exception {
        RunSummary summary = loadRun("Alice", "Alice#127.0.0.1", 0, 2, "client.recipients", "3").run().orElseThrow();

        assertThat(broker.stored()).hasSize(3 * REQUESTS).allMatch(message -> message.receiver() == 0);
        assertThat(summary.ledger().sent()).isEqualTo(3 * REQUESTS);
    }

    @Test
    void shouldFillTheQueuesEvenly() throws Exception {
        run("Fill", 1);

        assertThat(broker.stored()).hasSize(REQUESTS);
        Map<Integer, Integer> perQueue = new HashMap<>();
        broker.stored().forEach(message -> perQueue.merge(message.queue(), 1, Integer::sum));
        assertThat(perQueue).hasSize(10).allSatisfy((queue, count) -> assertThat(count).isEqualTo(REQUESTS / 10));
    }

    @Test
    void shouldAcknowledgeEachMessageThatAWorkerReceives() throws Exception {
        run("Fill", 1);

        RunSummary summary = loadRun("Worker", "Worker#127.0.0.1", 0, 1, "client.requests", "201", "client.queues", "1",
                "client.think.time", "0").run().orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(broker.executedBy("Worker_0_0")).containsSubsequence("Worker_0_0 receiveMessage",
                "Worker_0_0 acknowledge", "Worker_0_0 receiveMessage", "Worker_0_0 acknowledge");
        assertThat(summary.ledger().received()).isPositive();
        assertThat(broker.stored().size() + broker.leased() + summary.ledger().received()).isEqualTo(REQUESTS);
    }

    @Test
    void shouldUseTheQueuesOfARange() throws Exception {
        run("Fill", 1);

        RunSummary summary = loadRun("Worker", "Worker#127.0.0.1", 0, 1, "client.batch", "25", "client.queues", "9..10")
                .run().orElseThrow();

        assertThat(summary.ledger().received()).as("the messages of two of ten queues").isEqualTo(REQUESTS / 5);
    }

    @Test
    void shouldAcknowledgeTheMessagesOfABatchTogether() throws Exception {
        run("Fill", 1);

        RunSummary summary = loadRun("Worker", "Worker#127.0.0.1", 0, 1, "client.batch", "25", "client.queues", "1")
                .run().orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(broker.executedBy("Worker_0_0")).contains("Worker_0_0 receiveMessages",
                "Worker_0_0 acknowledgeMessages 25").doesNotContain("Worker_0_0 acknowledge");
        assertThat(summary.ledger().received()).as("the messages of one of ten queues").isEqualTo(REQUESTS / 10);
    }

    @Test
    void shouldSendTheMessagesOfABatchToOneQueueAtOnce() throws Exception {
        for (String scenario : List.of("PublicQueueProducer", "Carl", "Mix")) {
            long before = broker.stored().size();
            RunSummary summary = loadRun(scenario, scenario + "#127.0.0.1", 0, 1, "client.batch.send", "25",
                    "client.mix", "send:1", "client.requests", "40").run().orElseThrow();

            assertThat(summary.recording().counts(Phase.MEASURING).errors()).as(scenario).isEmpty();
            assertThat(broker.executedBy(scenario + "_0_0").stream().filter(done -> done.contains("send")))
                    .as(scenario).hasSize(40).containsOnly(scenario + "_0_0 sendMessages 25 1");
            assertThat(summary.ledger().sent()).as(scenario).isEqualTo(1_000);
            assertThat(broker.stored().size() - before).as(scenario).isEqualTo(1_000);
        }
    }

    @Test
    void shouldTakeUpToABatchOfMessagesOfAQueueAtOnce() throws Exception {
        for (String scenario : List.of("PublicQueueConsumer", "Bob", "Rick", "Mix")) {
            run("Fill", 1);
            RunSummary summary = loadRun(scenario, scenario + "#127.0.0.1", 0, 1, "client.batch.take", "25",
                    "client.mix", "dequeue:1", "client.queues", "1", "client.requests", "1").run().orElseThrow();

            assertThat(summary.recording().counts(Phase.MEASURING).errors()).as(scenario).isEmpty();
            assertThat(broker.executedBy(scenario + "_0_0").stream().filter(done -> done.contains("dequeue")))
                    .as(scenario).isNotEmpty().allMatch(done -> done.contains("dequeueMessages"));
            assertThat(summary.recording().messages(Phase.MEASURING).received()).as(scenario).isEqualTo(25);
        }
    }

    @Test
    void shouldCountAnUnknownLeaseOfOneOrOfABatchAsAnError() throws Exception {
        run("Fill", 1);
        broker.forgetLeases();

        for (String batch : List.of("1", "10")) {
            RunSummary summary = loadRun("Worker", "Worker#127.0.0.1", 0, 1, "client.batch", batch, "client.requests",
                    "10").run().orElseThrow();

            assertThat(summary.recording().counts(Phase.MEASURING).errors()).containsOnlyKeys("UNKNOWN_LEASE");
            assertThat(summary.ledger().received()).isZero();
        }
    }

    @Test
    void shouldWorkForEachReceivedMessageBeforeTheAcknowledgement() throws Exception {
        Settings settings = settings("Worker#127.0.0.1", 0, 1, "client.batch", "3", "client.work", "20ms");
        Surroundings around = new Surroundings(1, 0, new int[] {7}, new int[0], 0, 0, Subscribed.NONE);
        Behaviour worker = Scenarios.named("Worker").client().apply(new ClientContext(new ClientId("Worker", 0, 0),
                around, settings, System::nanoTime, (kind, text) -> { }));
        Message message = new Message(5, 7, new Message.Envelope(0, 0, 1, 0, 0), new Message.Delivery(1, 9),
                new byte[10]);

        worker.answered(worker.next(), new Response.Deliveries(List.of(message, message)));
        assertThat(worker.workNanos()).isEqualTo(40_000_000);

        assertThat(worker.next()).isInstanceOf(Request.AcknowledgeMessages.class);
        assertThat(worker.workNanos()).isZero();
    }

    @Test
    void shouldMixOperationsByTheirWeights() throws Exception {
        RunSummary summary = loadRun("Mix", "Mix#127.0.0.1", 0, 2, "client.mix", "send:60,echo:30,dequeue:10,peek:0")
                .run().orElseThrow();

        var operations = summary.figures().operations();
        assertThat(operations).containsOnlyKeys("sendMessage", "echo", "dequeueMessage");
        assertThat(operations.get("sendMessage").count()).isBetween(REQUESTS * 50L / 100, REQUESTS * 70L / 100);
        assertThat(operations.get("dequeueMessage").count()).isBetween(REQUESTS * 5L / 100, REQUESTS * 16L / 100);
    }

    @Test
    void shouldRunTheExampleOfThePage() throws Exception {
        run("Fill", 1);

        RunSummary summary = new LoadRun(Mover.SCENARIO, settings("Mover#127.0.0.1", 0, 2), broker, RunLogs.none(),
                line -> { })
                .run().orElseThrow();

        assertThat(summary.figures().operations()).containsOnlyKeys("sendMessage", "dequeueMessage");
        assertThat(broker.stored().size()).isBetween(REQUESTS - 2, REQUESTS);
    }

    @Test
    void shouldRunEveryKindThatNeedsNoCounterpart() throws Exception {
        List<String> kinds = Scenarios.all().stream().map(Scenario::name)
                .filter(name -> !name.equals("Only#dequeueMessages")
                        && !name.equals("Only#lookupClientQueue") && !name.equals("DatabaseOnly")).toList();
        for (String kind : kinds) {
            Counts counts = run(kind, 2).recording().counts(Phase.MEASURING);

            assertThat(counts.ok()).as(kind).isEqualTo(REQUESTS);
            assertThat(counts.errors()).as(kind).isEmpty();
        }
    }

    @Test
    void shouldWaitAtEachSubscriptionAndMakeOneAgainThatHasEnded() throws Exception {
        List<Subscription> mine = List.of(subscription("matching0", true, 7),
                subscription("matching1", true, 8).at(8, System.nanoTime() - 5_000), subscription("other0", false, 9));
        List<Long> firsts = new ArrayList<>();
        Behaviour subscriber = behaviour("Subscriber", new Subscribed(new int[] {3}, mine, false, firsts::add));
        assertThat(subscriber.requestsAtOnce()).isEqualTo(2);
        Request first = subscriber.next();
        Request second = subscriber.next();
        assertThat(List.of(queue(first), queue(second))).containsExactly(7, 8);

        subscriber.failed(first, Status.QUEUE_DOES_NOT_EXIST);
        Request again = subscriber.next();
        subscriber.failed(again, Status.TIMEOUT);
        assertThat(subscriber.next()).isEqualTo(again).isEqualTo(mine.get(0).request());
        subscriber.answered(again, new Response.QueueFound(17, "topic1/matching0"));
        assertThat(queue(subscriber.next())).isEqualTo(17);

        Message message = new Message(5, 8, new Message.Envelope(0, 0, 1, 0, 0), new Message.Delivery(1, 9),
                new byte[10]);
        subscriber.answered(second, new Response.Delivery(message));
        Request acknowledgement = subscriber.next();
        assertThat(acknowledgement).isEqualTo(new Request.Acknowledge(5, 9));
        subscriber.answered(acknowledgement, Response.Done.INSTANCE);
        Request third = subscriber.next();
        assertThat(queue(third)).isEqualTo(8);
        subscriber.answered(third, new Response.Delivery(message));
        assertThat(firsts).as("the first message of what was made under load").hasSize(1)
                .allMatch(delay -> delay >= 5_000);
    }

    @Test
    void shouldReceiveFromItsOtherSubscriptionsWhileOneCannotBeMadeAgain() throws Exception {
        List<Subscription> mine = List.of(subscription("matching0", true, 7), subscription("matching1", true, 8));
        Behaviour subscriber = behaviour("Subscriber", new Subscribed(new int[] {3}, mine, false, delay -> { }));
        Request first = subscriber.next();
        Request second = subscriber.next();
        subscriber.failed(first, Status.QUEUE_DOES_NOT_EXIST);
        Request again = subscriber.next();
        subscriber.failed(again, Status.TOPIC_DOES_NOT_EXIST);

        subscriber.answered(second, Response.Delivery.NONE);
        assertThat(queue(subscriber.next())).as("while the other request pauses").isEqualTo(8);
        assertThat(subscriber.next()).as("after the pause").isEqualTo(again);
    }

    @Test
    void shouldReceiveInTurnWithSubscribingAgainIfItsLibraryBlocks() throws Exception {
        List<Subscription> mine = List.of(subscription("matching0", true, 7), subscription("matching1", true, 8));
        Behaviour subscriber = behaviour("Subscriber", new Subscribed(new int[] {3}, mine, true, delay -> { }));
        subscriber.failed(subscriber.next(), Status.QUEUE_DOES_NOT_EXIST);
        for (int i = 0; i < 3; i++) {
            Request again = subscriber.next();
            assertThat(again).isEqualTo(mine.get(0).request());
            subscriber.failed(again, Status.TOPIC_DOES_NOT_EXIST);

            Request receive = subscriber.next();
            assertThat(queue(receive)).isEqualTo(8);
            subscriber.answered(receive, Response.Delivery.NONE);
        }
    }

    private static Subscription subscription(String name, boolean matching, int queue) {
        return new Subscription(new TopicRequest.Subscribe(3, name, "", false), matching, queue);
    }

    private static int queue(Request request) {
        return ((Request.ReceiveMessage) request).query().queue();
    }

    private static Behaviour behaviour(String scenario, Subscribed subscribed) {
        Surroundings around = new Surroundings(1, 0, new int[0], new int[0], 0, 0, subscribed);
        return Scenarios.named(scenario).client().apply(new ClientContext(new ClientId(scenario, 0, 0), around,
                settings(scenario + "#127.0.0.1", 0, 1), System::nanoTime, (kind, text) -> { }));
    }

    private RunSummary run(String scenario, int clients) throws Exception {
        RunSummary summary = loadRun(scenario, scenario + "#127.0.0.1", 0, clients).run().orElseThrow();
        assertThat(summary.recording().counts(Phase.MEASURING).errors()).isEmpty();
        return summary;
    }

    private static RunSummary finished(LoadRun run) {
        try {
            return run.run().orElseThrow();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private LoadRun loadRun(String scenario, String mapping, int position, int clients, String... settings) {
        return new LoadRun(Scenarios.named(scenario), settings(mapping, position, clients, settings), broker,
                RunLogs.none(), line -> { });
    }

    private static Settings settings(String mapping, int position, int clients, String... settings) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.client", mapping, "common.scenario.myposition", String.valueOf(position),
                "client.clients", String.valueOf(clients), "client.requests", String.valueOf(REQUESTS),
                "client.think.time", "uniform 0ms..1ms"));
        for (int i = 0; i < settings.length; i += 2) {
            text.put(settings[i], settings[i + 1]);
        }
        return Settings.of(ClientJvm.keys(), text);
    }
}
