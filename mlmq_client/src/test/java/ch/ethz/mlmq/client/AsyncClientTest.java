package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncClientTest {
    private static final byte[] CONTENT = {1, 2, 3};

    private final ClientLoop loop = ClientLoop.start("client-test");
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        loop.close();
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    @Test
    void shouldMatchAnswersToRequestsInWhateverOrderTheyCome() throws Exception {
        Deque<Integer> kept = new ArrayDeque<>();
        AsyncClient client = connect(broker((peer, id, request) -> {
            kept.push(id);
            if (kept.size() == 100) {
                kept.forEach(one -> peer.answer(one, new Response.ContextAssigned(one)));
            }
        }));

        List<CompletableFuture<Long>> contexts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            contexts.add(client.sendRequestToClient(1, CONTENT, 5));
        }

        long first = get(contexts.get(0));
        for (int i = 0; i < 100; i++) {
            assertThat(get(contexts.get(i))).isEqualTo(first + i);
        }
        assertThat(client.inFlight()).isZero();
    }

    @Test
    void shouldGiveUpAfterTheTimeoutAndDropTheLateAnswer() throws Exception {
        CompletableFuture<Runnable> late = new CompletableFuture<>();
        AsyncClient client = connect(broker((peer, id, request) -> {
            if (request instanceof Request.CreateQueue) {
                late.complete(() -> peer.answer(id, new Response.QueueFound(1, "jobs")));
            } else {
                StubBroker.answerAll(peer, id, request);
            }
        }), ClientConfig.builder().requestTimeoutMillis(50));
        AtomicInteger endings = new AtomicInteger();

        CompletableFuture<Integer> created =
                client.createQueue("jobs").whenComplete((id, e) -> endings.incrementAndGet());

        assertThatThrownBy(() -> get(created)).isInstanceOf(MlmqException.Timeout.class)
                .hasMessage("no response to createQueue within 50 ms");
        assertThat(client.inFlight()).isZero();
        late.get().run();
        assertThat(get(client.echo(CONTENT))).isEqualTo(CONTENT);
        assertThat(client.lateAnswers()).isEqualTo(1);
        assertThat(endings).hasValue(1);
    }

    @Test
    void shouldReleaseALateLeaseIfTheBrokerKnowsNoCancel() throws Exception {
        Message.Envelope envelope = new Message.Envelope(1, 0, 5, 0, 1);
        Message leased = new Message(12, 3, envelope, new Message.Delivery(1, 77), CONTENT);
        Message classic = new Message(13, 3, envelope, new Message.Delivery(1), CONTENT);
        List<Runnable> late = new CopyOnWriteArrayList<>();
        StubBroker broker = broker((peer, id, request) -> {
            switch (request.type()) {
                case RECEIVE_MESSAGE -> late.add(() -> peer.answer(id, new Response.Delivery(leased)));
                case DEQUEUE_MESSAGE -> late.add(() -> peer.answer(id, new Response.Delivery(classic)));
                case DEQUEUE_MESSAGES -> late.add(
                        () -> peer.answer(id, new Response.Deliveries(List.of(classic, classic))));
                default -> StubBroker.answerAll(peer, id, request);
            }
        });
        AsyncClient client = connect(broker);
        List<CompletableFuture<?>> futures = List.of(client.receiveMessage(MessageQuery.any(), 1_000),
                client.dequeueMessage(MessageQuery.any()), client.dequeueMessages(MessageQuery.any(), 2));
        Await.until("all are sent", () -> late.size() == 3);

        futures.forEach(future -> future.cancel(true));
        late.forEach(Runnable::run);

        Await.until("it is given back", () -> broker.received().contains(new Request.Release(12, 77)));
        Await.until("the others are counted", () -> client.droppedMessages() == 3);
        assertThat(client.lateAnswers()).isEqualTo(3);
        assertThat(broker.received()).noneMatch(request -> request instanceof Request.Cancel);
    }

    @Test
    void shouldRepeatOnlyUnansweredCancelsOnTheNextConnection() throws Exception {
        List<Integer> asked = new CopyOnWriteArrayList<>();
        List<Integer> cancelled = new CopyOnWriteArrayList<>();
        StubBroker broker = broker((peer, id, request) -> {
            if (request instanceof Request.DequeueMessage) {
                asked.add(id);
            } else if (request instanceof Request.Cancel cancel) {
                cancelled.add(cancel.request());
                if (cancel.request() == asked.get(1)) {
                    peer.answer(id, Response.Done.INSTANCE);
                }
            } else {
                StubBroker.answerAll(peer, id, request);
            }
        });
        broker.greetBy((peer, id, hello) -> peer.answer(id, welcome(Features.CANCEL, 0)));
        AsyncClient client = connect(broker);
        List<CompletableFuture<?>> futures = List.of(client.dequeueMessage(MessageQuery.any()),
                client.dequeueMessage(MessageQuery.any()), client.dequeueMessage(MessageQuery.any()));
        Await.until("all are sent", () -> asked.size() == 3);
        futures.get(0).cancel(true);
        futures.get(1).cancel(true);
        Await.until("both are cancelled", () -> cancelled.size() == 2);
        get(client.echo(CONTENT));
        cancelled.clear();

        broker.peers().get(0).hangUp();

        Await.until("the cancels are repeated", () -> cancelled.size() == 2);
        get(client.echo(CONTENT));
        assertThat(cancelled).containsExactlyInAnyOrder(asked.get(0), asked.get(2));
    }

    @Test
    void shouldCountPossiblyLostMessagesIfClosedWhileDisconnected() throws Exception {
        List<Request> asked = new CopyOnWriteArrayList<>();
        StubBroker broker = broker((peer, id, request) -> asked.add(request));
        broker.greetBy((peer, id, hello) -> peer.answer(id, welcome(Features.CANCEL, 0)));
        AsyncClient client = connect(broker);
        CompletableFuture<?> waiting = client.dequeueMessage(MessageQuery.any());
        Await.until("it is sent", () -> asked.size() == 1);

        broker.close();
        assertThatThrownBy(() -> get(waiting)).isInstanceOf(MlmqException.ConnectionLost.class);
        get(client.close());

        assertThat(client.droppedMessages()).isEqualTo(1);
    }

    @Test
    void shouldTakeAStatusOfALaterVersionForAFailureOfTheBroker() throws Exception {
        AsyncClient client = connect(broker((peer, id, request) -> {
            if (request instanceof Request.CreateQueue) {
                peer.write(ByteBuffer.allocate(22).putInt(18).putInt(199).putInt(id).putInt(77).putInt(2)
                        .put("no".getBytes()).flip());
            } else {
                StubBroker.answerAll(peer, id, request);
            }
        }));

        assertThatThrownBy(() -> get(client.createQueue("jobs"))).isInstanceOf(MlmqException.BrokerError.class)
                .hasMessage("status 77: no");
        assertThat(get(client.echo(CONTENT))).isEqualTo(CONTENT);
    }

    @Test
    void shouldAddTheWaitOfAQueryToTheTimeout() throws Exception {
        AsyncClient client = connect(broker((peer, id, request) -> { }),
                ClientConfig.builder().requestTimeoutMillis(20));

        long start = System.nanoTime();
        CompletableFuture<?> waiting = client.dequeueMessage(MessageQuery.any().waiting(100));

        assertThatThrownBy(() -> get(waiting)).hasMessage("no response to dequeueMessage within 120 ms");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(120));
    }

    @Test
    void shouldRefuseMoreRequestsThanMayBeInFlight() throws Exception {
        Deque<Runnable> answers = new ArrayDeque<>();
        CountDownLatch arrived = new CountDownLatch(2);
        AsyncClient client = connect(broker((peer, id, request) -> {
            answers.add(() -> StubBroker.answerAll(peer, id, request));
            arrived.countDown();
        }), ClientConfig.builder().inflightMax(2));
        CompletableFuture<byte[]> first = client.echo(CONTENT);
        client.echo(CONTENT);

        assertThatThrownBy(() -> get(client.echo(CONTENT))).isInstanceOf(MlmqException.TooManyInFlight.class);

        arrived.await();
        answers.poll().run();
        get(first);
        assertThat(client.submit(new Request.Echo(CONTENT), 0, (tag, status, response, sent, end) -> { }))
                .isEqualTo(Status.OK);
    }

    @Test
    void shouldTellACompletionItsTagAndWhenItsRequestWentOutAndEnded() throws Exception {
        AsyncClient client = connect(broker(StubBroker::answerAll));
        CompletableFuture<long[]> told = new CompletableFuture<>();

        long before = System.nanoTime();
        Status status = client.submit(new Request.Echo(CONTENT), 42, (tag, ended, response, sentNanos, endNanos) ->
                told.complete(new long[] {tag, ended.code(), sentNanos, endNanos}));

        assertThat(status).isEqualTo(Status.OK);
        long[] values = told.get();
        assertThat(values[0]).isEqualTo(42);
        assertThat(values[1]).isZero();
        assertThat(values[2]).isBetween(before, values[3]);
        assertThat(values[3]).isLessThanOrEqualTo(System.nanoTime());
    }

    @Test
    void shouldLetACompletionSubmitTheNextRequest() throws Exception {
        AsyncClient client = connect(broker(StubBroker::answerAll));
        CountDownLatch left = new CountDownLatch(10_000);
        Request echo = new Request.Echo(CONTENT);
        Completion next = new Completion() {
            @Override
            public void completed(long tag, Status status, Response response, long sentNanos, long endNanos) {
                left.countDown();
                if (left.getCount() > 0) {
                    client.submit(echo, tag, this);
                }
            }
        };

        client.submit(echo, 0, next);

        assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldFailEveryRequestInFlightWhenTheConnectionIsLost() throws Exception {
        StubBroker broker = broker((peer, id, request) -> { });
        AsyncClient client = connect(broker);
        CompletableFuture<?> one = client.echo(CONTENT);
        CompletableFuture<?> other = client.createQueue("jobs");
        Await.until("both arrived", () -> broker.received().size() == 2);

        broker.peers().get(0).hangUp();

        for (CompletableFuture<?> lost : List.of(one, other)) {
            assertThatThrownBy(() -> get(lost)).isInstanceOf(MlmqException.ConnectionLost.class)
                    .hasMessageContaining(broker.address() + ": the broker closed the connection");
        }
    }

    @Test
    void shouldConnectAndRegisterAgainAfterALoss() throws Exception {
        StubBroker broker = broker(StubBroker::answerAll);
        AsyncClient client = connect(broker);
        get(client.register("alice"));

        broker.peers().get(0).hangUp();

        Await.until("a second connection", () -> broker.peers().size() == 2);
        get(client.whenConnected());
        assertThat(broker.received()).containsExactly(new Request.Register("alice"), new Request.Register("alice"));
        assertThat(get(client.echo(CONTENT))).isEqualTo(CONTENT);
    }

    /** Such a broker responds to unknown requests with an error and closes the connection. */
    @Test
    void shouldGoOnWithABrokerOfBeforeTheHandshake() throws Exception {
        StubBroker old = broker(StubBroker::answerAll);
        old.greetBy((peer, id, hello) -> {
            peer.answer(id, new Response.Failure(Status.PROTOCOL_ERROR, "unknown frame type 23"));
            peer.hangUp();
        });
        List<ClientState> states = new ArrayList<>();
        AsyncClient client = AsyncClient.open(loop, quick().brokers(BrokerAddress.parseList(old.address())).build(),
                (state, reason) -> states.add(state));

        get(client.whenConnected());

        assertThat(get(client.echo(CONTENT))).isEqualTo(CONTENT);
        assertThat(client.broker()).isEmpty();
        onLoop(() -> assertThat(states).doesNotContain(ClientState.BACKING_OFF));
        assertThat(old.peers()).hasSize(2);
    }

    @Test
    void shouldPresentTheTokenThatItGotWhenItRegistersAgain() throws Exception {
        StubBroker broker = broker((peer, id, request) -> {
            if (request instanceof Request.Register) {
                peer.answer(id, new Response.Registered(1, 2, 77));
            } else {
                StubBroker.answerAll(peer, id, request);
            }
        });
        broker.greetBy((peer, id, hello) -> peer.answer(id, welcome(Features.SESSION_TOKEN, 0)));
        AsyncClient client = connect(broker);
        assertThat(get(client.register("alice"))).isEqualTo(new Response.Registered(1, 2));

        broker.peers().get(0).hangUp();

        Await.until("a second registration", () -> broker.received().size() == 2);
        assertThat(broker.received()).containsExactly(new Request.Register("alice"), new Request.Register("alice", 77));
    }

    /**
     * The library is part of its user's process: an error that ends its thread must end its calls with a message, and
     * not the process.
     */
    @Test
    void shouldFailItsCallsWhereItsThreadHasFailed() throws Exception {
        AsyncClient client = connect(broker((peer, id, request) -> {
            if (request instanceof Request.Echo) {
                StubBroker.answerAll(peer, id, request);
            }
        }));
        CompletableFuture<Integer> waiting = client.createQueue("jobs");

        client.submit(new Request.Echo(CONTENT), 0, (tag, status, response, sent, end) -> {
            throw new OutOfMemoryError("as the test wants");
        });

        assertThatThrownBy(() -> get(waiting)).isInstanceOf(MlmqException.ConnectionLost.class)
                .hasMessageContaining("as the test wants");
        assertThat(client.state()).isEqualTo(ClientState.CLOSED);
        assertThatThrownBy(() -> get(client.echo(CONTENT))).isInstanceOf(MlmqException.NotConnected.class)
                .hasMessageContaining("as the test wants");
        get(client.close());
    }

    @Test
    void shouldTakeABrokerForGoneThatGivesNoSignOfLife() throws Exception {
        StubBroker silent = broker((peer, id, request) -> { });
        StubBroker next = broker(StubBroker::answerAll);
        silent.greetBy((peer, id, hello) -> peer.answer(id, welcome(Features.KEEP_ALIVE, 300)));
        AsyncClient client = AsyncClient.open(loop, quick().brokers(
                BrokerAddress.parseList(silent.address() + "," + next.address())).build());
        get(client.whenConnected());
        CompletableFuture<Integer> waiting = client.createQueue("jobs");

        assertThatThrownBy(() -> get(waiting)).isInstanceOf(MlmqException.ConnectionLost.class)
                .hasMessageContaining("sent no byte for 300 ms");
        Await.until("it is at the next", () -> client.stateReason().equals("connected to " + next.address()));
        assertThat(silent.received()).contains(new Request.KeepAlive());
    }

    @Test
    void shouldGoOnTryingWhileItsNameIsStillTakenElsewhere() throws Exception {
        StubBroker broker = broker(StubBroker::answerAll);
        AsyncClient client = connect(broker);
        get(client.register("alice"));
        AtomicInteger refusals = new AtomicInteger();
        broker.follow((peer, id, request) -> {
            if (refusals.incrementAndGet() <= 3) {
                peer.answer(id, new Response.Failure(Status.CLIENT_ALREADY_ONLINE, "alice is online"));
            } else {
                StubBroker.answerAll(peer, id, request);
            }
        });

        broker.peers().get(0).hangUp();

        Await.until("it is registered again", () -> refusals.get() == 4 && client.state() == ClientState.CONNECTED);
    }

    @Test
    void shouldGoToTheNextBrokerWhenOneIsGone() throws Exception {
        StubBroker first = broker(StubBroker::answerAll);
        StubBroker second = broker(StubBroker::answerAll);
        AsyncClient client = AsyncClient.open(loop, quick().brokers(
                BrokerAddress.parseList(first.address() + "," + second.address())).build());
        get(client.whenConnected());
        get(client.register("alice"));

        first.close();

        Await.until("it is at the second", () -> second.received().contains(new Request.Register("alice")));
        get(client.whenConnected());
        assertThat(client.stateReason()).isEqualTo("connected to " + second.address());
    }

    @Test
    void shouldSayWhyNoBrokerAnsweredAndGoOnTrying() throws Exception {
        StubBroker gone = broker(StubBroker::answerAll);
        gone.close();
        List<ClientState> states = new ArrayList<>();
        AsyncClient client = AsyncClient.open(loop, quick().brokers(BrokerAddress.parseList(gone.address())).build(),
                (state, reason) -> states.add(state));

        assertThatThrownBy(() -> get(client.whenConnected())).isInstanceOf(MlmqException.NotConnected.class)
                .hasMessageStartingWith(gone.address() + ": no broker can be reached there (");
        assertThatThrownBy(() -> get(client.echo(CONTENT))).isInstanceOf(MlmqException.NotConnected.class);

        open.add(new StubBroker(gone.port(), StubBroker::answerAll));
        Await.until("it is connected", () -> client.state() == ClientState.CONNECTED);
        onLoop(() -> assertThat(states)
                .startsWith(ClientState.CONNECTING, ClientState.BACKING_OFF, ClientState.CONNECTING)
                .endsWith(ClientState.CONNECTED));
    }

    @Test
    void shouldHandOverTheStatusOfARefusalThatAnswersNoRequest() throws Exception {
        AsyncClient client = connect(broker((peer, id, request) ->
                peer.answer(0, new Response.Failure(Status.BROKER_FULL, "1000 clients are here already"))));

        assertThatThrownBy(() -> get(client.register("alice"))).isInstanceOf(MlmqException.BrokerFull.class)
                .hasMessage("1000 clients are here already");
    }

    @Test
    void shouldComeBackLessAndLessOftenToABrokerThatHangsUp() throws Exception {
        StubBroker broker = broker(StubBroker::answerAll);
        long start = System.nanoTime();
        AsyncClient.open(loop, quick().backoffMillis(20, 10_000).brokers(
                BrokerAddress.parseList(broker.address())).build());

        for (int connection = 1; connection <= 6; connection++) {
            int number = connection;
            Await.until("connection " + number, () -> broker.peers().size() == number);
            broker.peers().get(number - 1).hangUp();
        }

        assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(10 + 20 + 40 + 80 + 160));
    }

    @Test
    void shouldBeClosedWhereItsLoopIs() {
        loop.close();

        AsyncClient client = AsyncClient.open(loop, ClientConfig.of("127.0.0.1:1"));

        assertThat(client.state()).isEqualTo(ClientState.CLOSED);
        assertThatThrownBy(() -> get(client.whenConnected())).hasMessage("the client loop is closed");
    }

    @Test
    void shouldLeaveABrokerThatDoesNotSpeakTheProtocol() throws Exception {
        StubBroker broker = broker((peer, id, request) ->
                peer.write(ByteBuffer.wrap("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes())));
        List<String> reasons = new CopyOnWriteArrayList<>();
        AsyncClient client = AsyncClient.open(loop, quick().brokers(BrokerAddress.parseList(broker.address())).build(),
                (state, reason) -> reasons.add(reason));
        get(client.whenConnected());

        assertThatThrownBy(() -> get(client.echo(CONTENT))).isInstanceOf(MlmqException.ProtocolError.class);
        Await.until("it left", () -> reasons.stream().anyMatch(reason -> reason.contains("an invalid frame")));
    }

    @Test
    void shouldCarryFramesLargerThanAnyBuffer() throws Exception {
        AsyncClient client = connect(broker(StubBroker::answerAll),
                ClientConfig.builder().requestTimeoutMillis(20_000));
        byte[] large = new byte[Limits.DEFAULT_PAYLOAD_BYTES - 12];
        new SplittableRandom(1).nextBytes(large);

        List<CompletableFuture<byte[]>> echoes =
                List.of(client.echo(CONTENT), client.echo(large), client.echo(CONTENT));

        assertThat(get(echoes.get(0))).isEqualTo(CONTENT);
        assertThat(get(echoes.get(1))).isEqualTo(large);
        assertThat(get(echoes.get(2))).isEqualTo(CONTENT);
        assertThatThrownBy(() -> get(client.echo(new byte[Limits.DEFAULT_PAYLOAD_BYTES])))
                .isInstanceOf(MlmqException.ContentTooLong.class)
                .hasMessage("echo is longer than a frame of 4194304 bytes");
    }

    @Test
    void shouldUnderstandAnswersThatArriveByteByByte() throws Exception {
        AsyncClient client = connect(broker((peer, id, request) -> {
            byte[] frame = {0, 0, 0, 8, 0, 0, 0, 101, 0, 0, 0, (byte) id};
            for (byte one : frame) {
                peer.write(ByteBuffer.wrap(new byte[] {one}));
            }
        }));

        for (int i = 0; i < 20; i++) {
            get(client.sendMessage(1, CONTENT, 5));
        }
    }

    @Test
    void shouldSayGoodbyeAndFailWhatComesAfter() throws Exception {
        StubBroker broker = broker(StubBroker::answerAll);
        AsyncClient client = connect(broker);

        get(client.close());
        get(client.close());

        assertThat(broker.received()).containsExactly(new Request.Goodbye());
        assertThat(client.state()).isEqualTo(ClientState.CLOSED);
        assertThatThrownBy(() -> get(client.echo(CONTENT))).isInstanceOf(MlmqException.NotConnected.class)
                .hasMessage("not connected: closed");
        assertThatThrownBy(() -> get(client.whenConnected())).isInstanceOf(MlmqException.NotConnected.class);
        assertThat(broker.peers()).hasSize(1);
    }

    @Test
    void shouldCloseEvenIfTheBrokerNeverAnswersTheGoodbye() throws Exception {
        AsyncClient client = connect(broker((peer, id, request) -> { }),
                ClientConfig.builder().requestTimeoutMillis(20));

        get(client.close());

        assertThat(client.state()).isEqualTo(ClientState.CLOSED);
    }

    @Test
    void shouldOutliveACompletionThatThrows() throws Exception {
        AsyncClient client = connect(broker(StubBroker::answerAll));

        client.submit(new Request.Echo(CONTENT), 0, (tag, status, response, sent, end) -> {
            throw new IllegalStateException("the test's own");
        });

        assertThat(get(client.echo(CONTENT))).isEqualTo(CONTENT);
    }

    private static Response.Welcome welcome(long features, int keepAliveMillis) {
        return new Response.Welcome(1, "stub", features,
                new Response.Bounds(2_000, 4_194_304, 1_000, 1_000, 60_000, 60_000), keepAliveMillis, "");
    }

    private StubBroker broker(StubBroker.Script script) throws Exception {
        StubBroker broker = new StubBroker(script);
        open.add(broker);
        return broker;
    }

    private AsyncClient connect(StubBroker broker) throws Exception {
        return connect(broker, quick());
    }

    private AsyncClient connect(StubBroker broker, ClientConfig.Builder settings) throws Exception {
        AsyncClient client = AsyncClient.open(loop,
                settings.backoffMillis(1, 10).brokers(BrokerAddress.parseList(broker.address())).build());
        get(client.whenConnected());
        return client;
    }

    /** Reconnects quickly, and is patient with a busy machine. */
    private static ClientConfig.Builder quick() {
        return ClientConfig.builder().backoffMillis(1, 10).requestTimeoutMillis(20_000);
    }

    private void onLoop(Runnable assertion) throws Exception {
        get(CompletableFuture.runAsync(assertion, loop::execute));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
