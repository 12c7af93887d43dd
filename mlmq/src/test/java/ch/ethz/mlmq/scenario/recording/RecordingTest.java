package ch.ethz.mlmq.scenario.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import ch.ethz.mlmq.scenario.workload.MessageId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
    private static final long MILLI = 1_000_000;
    private static final byte[] CONTENT = new LoadMessage(new MessageId(0, 1, 2), 0).encode(100);
    private static final Request SEND = new Request.SendMessage(new int[] {1}, 0, 5, 0, "", CONTENT);
    private static final Request DEQUEUE = new Request.DequeueMessage(MessageQuery.queue(1));

    private final PhasePlan plan = new PhasePlan(0, 100 * MILLI, 1_000 * MILLI, 100 * MILLI);
    private final List<String> log = new ArrayList<>();
    private final MessageLedger ledger = MessageLedger.counting();

    @Test
    void shouldPutARequestIntoThePhaseInWhichItWasToStart() {
        Recording recording = recording(true, 1);

        recording.succeeded(SEND, Response.Done.INSTANCE, 99 * MILLI, 150 * MILLI, 160 * MILLI);
        recording.succeeded(SEND, Response.Done.INSTANCE, 1_099 * MILLI, 1_150 * MILLI, 1_300 * MILLI);
        recording.failed(SEND, Status.TIMEOUT, "", 1_100 * MILLI, 1_150 * MILLI, 2_150 * MILLI);
        recording.notStarted(1_250 * MILLI);

        assertThat(recording.counts(Phase.WARMUP).ok()).isEqualTo(1);
        assertThat(recording.counts(Phase.MEASURING).ok()).isEqualTo(1);
        assertThat(recording.counts(Phase.COOLDOWN).errors()).containsOnlyKeys("TIMEOUT", "NOT_STARTED");
    }

    @Test
    void shouldTellWhichRequestsOfTheWarmupWereNotAnsweredWhileMeasuring() {
        Recording recording = recording(false, 1);

        recording.succeeded(SEND, Response.Done.INSTANCE, 50 * MILLI, 50 * MILLI, 1_090 * MILLI);
        recording.failed(SEND, Status.OVERLOADED, "", 99 * MILLI, 99 * MILLI, 101 * MILLI);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 50 * MILLI, 50 * MILLI, 1_500 * MILLI);
        recording.failed(SEND, Status.TIMEOUT, "", 100 * MILLI, 100 * MILLI, 1_500 * MILLI);
        assertThat(recording.overdue().unanswered() + recording.overdue().failed())
                .as("answered in time, failed at once, waited for a message, sent while measuring").isZero();

        recording.succeeded(SEND, Response.Done.INSTANCE, 50 * MILLI, 50 * MILLI, 1_100 * MILLI);
        recording.failed(SEND, Status.TIMEOUT, "", 50 * MILLI, 50 * MILLI, 2_050 * MILLI);
        recording.failed(DEQUEUE, Status.TIMEOUT, "", 50 * MILLI, 50 * MILLI, 1_060 * MILLI);

        assertThat(recording.overdue().unanswered()).isEqualTo(2);
        assertThat(recording.overdue().failed()).isEqualTo(1);
        assertThat(recording.overdue().longestSeconds()).isEqualTo(2);
    }

    @Test
    void shouldCountRequestsThatNeverEndedAsErrorsOfTheirPhase() {
        Recording recording = recording(false, 1);
        recording.started(DEQUEUE, 50 * MILLI, Delay.NONE);
        recording.started(DEQUEUE, 60 * MILLI, Delay.NONE);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 60 * MILLI, 60 * MILLI, 70 * MILLI);
        recording.started(DEQUEUE, 200 * MILLI, Delay.NONE);

        recording.unanswered(3_000 * MILLI);

        assertThat(recording.counts(Phase.WARMUP).errors()).containsExactly(entry("UNANSWERED", 1L));
        assertThat(recording.counts(Phase.MEASURING).errors()).containsExactly(entry("UNANSWERED", 1L));
        assertThat(recording.counts(Phase.COOLDOWN).errors()).isEmpty();
        assertThat(recording.overdue().unanswered()).isEqualTo(1);
        assertThat(recording.overdue().longestSeconds()).isEqualTo(3);
    }

    @Test
    void shouldMissNoResponseOfARequestThatStartedWhenMeasuringHadJustEndedEarlierThanPlanned() {
        PhasePlan[] current = {plan};
        Recording recording = new Recording(false, nanos -> current[0].at(nanos), Recorder.NONE, 0, ledger, () -> 7);
        recording.started(DEQUEUE, 400 * MILLI, Delay.NONE);
        recording.started(DEQUEUE, 501 * MILLI, Delay.NONE);
        current[0] = plan.endedAt(500 * MILLI);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 400 * MILLI, 400 * MILLI, 510 * MILLI);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 501 * MILLI, 501 * MILLI, 510 * MILLI);

        recording.unanswered(3_000 * MILLI);

        assertThat(recording.allCounts()).allSatisfy(counts -> assertThat(counts.errors()).isEmpty());
        assertThat(recording.counts(Phase.MEASURING).started()).isEqualTo(1);
        assertThat(recording.underWay(100 * MILLI, 500 * MILLI)).isEqualTo(0.25, within(0.01));
    }

    @Test
    void shouldCountWhatNeverStartedAmongTheRequestsThatWereDue() {
        Recording recording = recording(true, 1);

        recording.started(DEQUEUE, 200 * MILLI, Delay.NONE);
        recording.started(DEQUEUE, 210 * MILLI, Delay.BY_PEER);
        recording.started(DEQUEUE, 215 * MILLI, Delay.BY_CLIENT);
        recording.notStarted(220 * MILLI);

        Counts counts = recording.counts(Phase.MEASURING);
        assertThat(counts.started()).isEqualTo(3);
        assertThat(counts.late()).isEqualTo(3);
        assertThat(counts.lateByClient()).isEqualTo(1);
        assertThat(counts.due()).isEqualTo(4);
    }

    @Test
    void shouldCountMessagesInThePhaseOfTheirRequest() {
        Recording recording = recording(true, 1);
        Request toTwo = new Request.SendMessage(new int[] {1, 2}, 0, 5, 0, "", CONTENT);
        Request receive = new Request.ReceiveMessages(MessageQuery.queue(1), 10, 1_000);
        Response two = new Response.Deliveries(List.of(message(1), message(2)));

        recording.succeeded(SEND, Response.Done.INSTANCE, 50 * MILLI, 50 * MILLI, 60 * MILLI);
        recording.succeeded(toTwo, Response.Done.INSTANCE, 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(DEQUEUE, new Response.Delivery(message(3)), 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(receive, two, 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(new Request.PeekMessage(MessageQuery.queue(1)), new Response.Delivery(message(4)),
                200 * MILLI, 200 * MILLI, 210 * MILLI);

        MessageCounts messages = recording.messages(Phase.MEASURING);
        assertThat(messages.sent()).isEqualTo(2);
        assertThat(messages.received()).isEqualTo(3);
        assertThat(messages.takes()).isEqualTo(3);
        assertThat(messages.emptyTakes()).isEqualTo(1);
        assertThat(recording.messages(Phase.WARMUP).sent()).isEqualTo(1);
    }

    @Test
    void shouldLogTakesAndPeeksThatFoundNoneApart() {
        Recording recording = recording(false, 1);
        Request peek = new Request.PeekMessage(MessageQuery.queue(1));
        Request receive = new Request.ReceiveMessages(MessageQuery.queue(1), 10, 1_000);

        recording.succeeded(DEQUEUE, new Response.Delivery(message(1)), 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(peek, Response.Delivery.NONE, 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(receive, new Response.Deliveries(List.of()), 200 * MILLI, 200 * MILLI, 210 * MILLI);

        assertThat(log).containsExactly("CSndReq#OK#dequeueMessage 10000 C[7]",
                "CSndReq#OK#dequeueMessage:empty 10000 C[7]", "CSndReq#OK#peekMessage:empty 10000 C[7]",
                "CSndReq#OK#receiveMessages:empty 10000 C[7]");
    }

    @Test
    void shouldLogTakesOfPushedMessagesApart() {
        Recording recording = new Recording(new Recording.Manner(false, true, false), plan::at,
                (action, start, end, clients, service) -> log.add(action.toString()), 1, ledger, () -> 7);

        recording.succeeded(SEND, Response.Done.INSTANCE, 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(DEQUEUE, new Response.Delivery(message(1)), 200 * MILLI, 200 * MILLI, 210 * MILLI);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 200 * MILLI, 200 * MILLI, 210 * MILLI);

        assertThat(log).containsExactly("CSndReq#OK#sendMessage", "CSndReq#OK#dequeueMessage:pushed",
                "CSndReq#OK#dequeueMessage:pushed:empty");
    }

    @Test
    void shouldMeasureAMessageFromTheIntendedStartOfItsSending() {
        Recording recording = recording(true, 1);
        Figures figures = new Figures(recording, null, 0);
        byte[] content = new LoadMessage(new MessageId(0, 1, 2), 0).encode(LoadMessage.MIN_LENGTH_WITH_TIME);
        Request send = new Request.SendMessage(new int[] {1}, 0, 5, 0, "", content);
        Request receive = new Request.ReceiveMessages(MessageQuery.queue(1), 10, 1_000);

        recording.started(send, 200 * MILLI, Delay.BY_PEER);
        recording.started(send, 250 * MILLI, Delay.NONE); // again, after a failure
        recording.succeeded(receive, new Response.Deliveries(List.of(message(3, content), message(3, content))),
                300 * MILLI, 300 * MILLI, 330 * MILLI);
        Interval interval = figures.endInterval(1_000);

        assertThat(log).hasSize(3).startsWith("CSndReq#OK#receiveMessages 30000 C[7] S[30000]");
        assertThat(log.subList(1, 3)).allMatch(line -> line.matches("CE2E#receiveMessages (129999|130000) C\\[7]"));
        assertThat(figures.endToEnd().count()).isEqualTo(2);
        assertThat(figures.endToEnd().p50()).isBetween(129_800L, 130_200L);
        assertThat(interval.endToEnd().p99()).isBetween(129_800L, 130_200L);
    }

    @Test
    void shouldMeasureAMessageToItsAcknowledgementOnce() {
        Recording recording = recording(false, 1);
        Figures figures = new Figures(recording, null, 0);
        byte[] content = new LoadMessage(new MessageId(0, 1, 2), 0).encode(100);
        recording.started(new Request.SendMessage(new int[] {1}, 0, 5, 0, "", content), 200 * MILLI, Delay.NONE);
        Message first = leased(1, 7, content);
        Message again = leased(2, 8, content);
        Request receive = new Request.ReceiveMessage(MessageQuery.queue(1), 30_000);

        recording.succeeded(receive, new Response.Delivery(first), 300 * MILLI, 300 * MILLI, 330 * MILLI);
        recording.failed(new Request.Acknowledge(first.id(), 7), Status.UNKNOWN_LEASE, "", 330 * MILLI, 330 * MILLI,
                340 * MILLI);
        recording.succeeded(receive, new Response.Delivery(again), 400 * MILLI, 400 * MILLI, 430 * MILLI);
        recording.succeeded(new Request.Acknowledge(again.id(), 8), Response.Done.INSTANCE, 440 * MILLI, 440 * MILLI,
                450 * MILLI);
        Interval interval = figures.endInterval(1_000);

        assertThat(log).filteredOn(line -> line.startsWith("CAck#")).hasSize(1)
                .allMatch(line -> line.matches("CAck#acknowledge (249999|250000) C\\[7]"));
        assertThat(figures.acknowledged().count()).isEqualTo(1);
        assertThat(interval.acknowledged().p99()).isBetween(249_700L, 250_300L);
        assertThat(recording.leased(Phase.MEASURING)).as("delivered for the first time").isEqualTo(1);
        assertThat(figures.endToEnd().p50()).isBetween(129_800L, 130_200L);
    }

    /** A subscription's messages may be pushed to a connection that is lost before anybody takes them. */
    @Test
    void shouldMeasureTheFirstReceiptOfACopyThatWasDeliveredToALostConnection() {
        Recording recording = new Recording(new Recording.Manner(false, true, true), plan::at, Recorder.NONE, 0, ledger,
                () -> 7);
        Figures figures = new Figures(recording, null, 0);
        byte[] content = new LoadMessage(new MessageId(0, 1, 2), 0).encode(100);
        recording.started(new Request.SendMessage(new int[] {1}, 0, 5, 0, "", content), 200 * MILLI, Delay.NONE);
        Request receive = new Request.ReceiveMessage(MessageQuery.queue(1), 30_000);

        for (int token = 7; token < 10; token++) {
            Message pushedAgain = leased(2, token, content);
            recording.succeeded(receive, new Response.Delivery(pushedAgain), 300 * MILLI, 300 * MILLI, 330 * MILLI);
            recording.succeeded(new Request.Acknowledge(pushedAgain.id(), token), Response.Done.INSTANCE, 330 * MILLI,
                    330 * MILLI, 340 * MILLI);
        }
        figures.endInterval(1_000);

        assertThat(recording.leased(Phase.MEASURING)).as("received for the first time").isEqualTo(1);
        assertThat(figures.endToEnd().count()).isEqualTo(1);
        assertThat(figures.endToEnd().p50()).isBetween(129_800L, 130_200L);
    }

    /** A table says of each delivery that it is the first; two loads may send messages of the same id. */
    @Test
    void shouldMeasureACopyOnceWhereTheSystemCountsNoDeliveries() {
        Recording recording = new Recording(new Recording.Manner(false, true, true), plan::at, Recorder.NONE, 0, ledger,
                () -> 7);
        Figures figures = new Figures(recording, null, 0);
        Request receive = new Request.ReceiveMessage(MessageQuery.queue(1), 30_000);

        for (int load = 0; load < 2; load++) {
            byte[] content = new LoadMessage(new MessageId(0, 1, 2), 0).encode(100);
            recording.started(new Request.SendMessage(new int[] {1}, 0, 5, 0, "", content), (200 + load) * MILLI,
                    Delay.NONE);
            for (int token = 7; token < 10; token++) {
                recording.succeeded(receive, new Response.Delivery(leased(1, token, content)), 300 * MILLI,
                        300 * MILLI, 330 * MILLI);
            }
        }
        figures.endInterval(1_000);

        assertThat(recording.leased(Phase.MEASURING)).isEqualTo(2);
        assertThat(figures.endToEnd().count()).isEqualTo(2);
    }

    @Test
    void shouldMeasureAcknowledgementsOfMessagesWhoseLeaseHeld() {
        Recording recording = recording(false, 1);
        List<Message> messages = new ArrayList<>();
        for (int token = 1; token <= 3; token++) {
            byte[] content = new LoadMessage(new MessageId(0, 1, token), 0).encode(100);
            recording.started(new Request.SendMessage(new int[] {1}, 0, 5, 0, "", content), 200 * MILLI, Delay.NONE);
            messages.add(leased(1, token, content));
        }
        recording.succeeded(new Request.ReceiveMessages(MessageQuery.queue(1), 3, 30_000),
                new Response.Deliveries(messages), 201 * MILLI, 201 * MILLI, 202 * MILLI);
        recording.unexpected(new Request.AcknowledgeMessages(messages.stream().map(Message::lease).toList()),
                new Response.LeaseStatuses(List.of(Status.OK, Status.UNKNOWN_LEASE, Status.OK)), "UNKNOWN_LEASE", "",
                202 * MILLI, 203 * MILLI, 204 * MILLI);

        assertThat(log).filteredOn(line -> line.startsWith("CAck#acknowledgeMessages ")).hasSize(2);
        assertThat(recording.leased(Phase.MEASURING)).isEqualTo(3);
    }

    @Test
    void shouldMeasureAMessageInThePhaseInWhichItWasToBeSent() {
        Recording recording = recording(true, 1);
        Figures figures = new Figures(recording, null, 0);
        Request send = sendOf(100);

        recording.started(send, 50 * MILLI, Delay.NONE);
        recording.succeeded(DEQUEUE, new Response.Delivery(message(3, ((Request.Send) send).content())), 300 * MILLI,
                300 * MILLI, 330 * MILLI);

        assertThat(figures.endInterval(1_000).endToEnd().count()).isEqualTo(1);
        assertThat(figures.endToEnd().count()).as("messages of the measuring phase").isZero();
    }

    @Test
    void shouldMeasureAMessageThatIsTakenForGoodHoweverOftenItWasDelivered() {
        Recording recording = recording(true, 1);
        Figures figures = new Figures(recording, null, 0);
        Request send = sendOf(100);
        recording.started(send, 200 * MILLI, Delay.NONE);

        recording.succeeded(DEQUEUE, new Response.Delivery(message(3, ((Request.Send) send).content())
                .handedOut(new Message.Delivery(2))), 300 * MILLI, 300 * MILLI, 330 * MILLI);

        assertThat(figures.endInterval(1_000).endToEnd().count()).isEqualTo(1);
        assertThat(figures.endToEnd().count()).isEqualTo(1);
    }

    @Test
    void shouldNotMeasureMessagesWithoutTheirTime() {
        Recording recording = recording(true, 1);
        Figures figures = new Figures(recording, null, 0);
        Request tooShort = sendOf(LoadMessage.MIN_LENGTH_WITH_TIME - 1);
        Request whole = sendOf(100);
        recording.started(tooShort, 200 * MILLI, Delay.NONE);
        recording.started(whole, 200 * MILLI, Delay.NONE);
        byte[] stamped = ((Request.Send) whole).content();

        for (Message message : List.of(message(3, ((Request.Send) tooShort).content()), message(3, CONTENT),
                message(3, "the content of another program".getBytes(StandardCharsets.US_ASCII)),
                message(0, stamped))) {
            recording.succeeded(DEQUEUE, new Response.Delivery(message), 300 * MILLI, 300 * MILLI, 330 * MILLI);
        }
        recording.succeeded(new Request.PeekMessage(MessageQuery.queue(1)), new Response.Delivery(message(3, stamped)),
                300 * MILLI, 300 * MILLI, 330 * MILLI);

        assertThat(figures.endInterval(1_000).endToEnd().count()).isZero();
    }

    @Test
    void shouldTellResponseTimeFromServiceTimeInAnOpenLoad() {
        Recording recording = recording(true, 1);
        Figures figures = new Figures(recording, null, 0);

        recording.succeeded(SEND, Response.Done.INSTANCE, 200 * MILLI, 250 * MILLI, 260 * MILLI);
        Interval interval = figures.endInterval(1_000);

        assertThat(log).containsExactly("CSndReq#OK#sendMessage 60000 C[7] S[10000]");
        assertThat(figures.response().max()).isBetween(59_900L, 60_100L);
        assertThat(figures.service().max()).isBetween(9_900L, 10_100L);
        assertThat(interval.rate()).isEqualTo(1);
    }

    @Test
    void shouldHaveOneTimeOnlyInAClosedLoad() {
        Recording recording = recording(false, 1);
        Figures figures = new Figures(recording, null, 0);

        recording.succeeded(SEND, Response.Done.INSTANCE, 200 * MILLI, 200 * MILLI, 210 * MILLI);
        figures.endInterval(1_000);

        assertThat(log).containsExactly("CSndReq#OK#sendMessage 10000 C[7]");
        assertThat(figures.service()).isEqualTo(figures.response());
    }

    @Test
    void shouldLeaveUnmeasuredPhasesOutOfTheFigures() {
        Recording recording = recording(false, 1);
        Figures figures = new Figures(recording, null, 0);

        recording.succeeded(SEND, Response.Done.INSTANCE, 50 * MILLI, 50 * MILLI, 60 * MILLI);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 200 * MILLI, 200 * MILLI, 205 * MILLI);
        Interval interval = figures.endInterval(1_000);

        assertThat(interval.response().count()).isEqualTo(2);
        assertThat(figures.response().count()).isEqualTo(1);
        assertThat(figures.operations()).containsOnlyKeys("dequeueMessage");
    }

    @Test
    void shouldEncodeTheTimesThatWereMeasured() throws Exception {
        Recording recording = recording(false, 1);
        Figures figures = new Figures(recording, null, 0);
        assertThat(figures.encodedTimes(Figures.DIGITS)).isEmpty();
        assertThat(figures.encodedSeen(Figures.DIGITS)).isEmpty();

        recording.succeeded(SEND, Response.Done.INSTANCE, 50 * MILLI, 50 * MILLI, 90 * MILLI);
        for (int i = 1; i <= 100; i++) {
            recording.succeeded(SEND, Response.Done.INSTANCE, 200 * MILLI, 200 * MILLI, (200 + i) * MILLI);
        }
        figures.endInterval(1_000);

        Histogram times = decoded(figures.encodedTimes(Figures.DIGITS));
        assertThat(times.getTotalCount()).isEqualTo(100);
        assertThat(times.getValueAtPercentile(99)).isEqualTo(figures.response().p99());
        assertThat(decoded(figures.encodedTimes(Figures.ROUGH_DIGITS)).getValueAtPercentile(99))
                .isBetween(98_010L, 99_990L);
        assertThat(decoded(figures.encodedSeen(Figures.DIGITS)).getTotalCount()).as("warm-up, too").isEqualTo(101);
    }

    private static Histogram decoded(String times) throws Exception {
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(times)), 0);
    }

    @Test
    void shouldNameTheStatusOfAFailureInTheLog() {
        recording(false, 1).failed(DEQUEUE, Status.OVERLOADED, "", 200 * MILLI, 200 * MILLI, 201 * MILLI);

        assertThat(log).containsExactly("CSndReq#OVERLOADED#dequeueMessage 1000 C[7]");
    }

    @Test
    void shouldSampleEachOperationHoweverTheyAlternate() {
        Recording recording = recording(false, 2);

        for (int i = 0; i < 5_000; i++) {
            recording.succeeded(SEND, Response.Done.INSTANCE, 200 * MILLI, 200 * MILLI, 201 * MILLI);
            recording.failed(DEQUEUE, Status.OVERLOADED, "", 200 * MILLI, 200 * MILLI, 201 * MILLI);
        }

        long sends = log.stream().filter(line -> line.startsWith("CSndReq#OK#")).count();
        assertThat(sends).as("half of 5,000, give or take eight standard deviations").isBetween(2_200L, 2_800L);
        assertThat(log.size() - sends).isBetween(2_200L, 2_800L);
        assertThat(recording.counts(Phase.MEASURING).ok()).isEqualTo(5_000);
    }

    @Test
    void shouldKeepTheBooksOfMessages() {
        Recording recording = recording(false, 1);

        recording.succeeded(new Request.SendMessage(new int[] {1, 2, 3}, 0, 5, 0, "", CONTENT), Response.Done.INSTANCE,
                0, 0, 1);
        recording.succeeded(DEQUEUE, new Response.Delivery(message(9)), 0, 0, 1);
        recording.succeeded(DEQUEUE, new Response.Delivery(message(0)), 0, 0, 1);
        recording.succeeded(DEQUEUE, Response.Delivery.NONE, 0, 0, 1);
        recording.succeeded(new Request.PeekMessage(MessageQuery.queue(1)), new Response.Delivery(message(9)), 0, 0, 1);
        recording.failed(SEND, Status.TIMEOUT, "", 0, 0, 1);
        recording.failed(SEND, Status.OVERLOADED, "", 0, 0, 1);
        recording.failed(DEQUEUE, Status.CONNECTION_LOST, "", 0, 0, 1);

        assertThat(ledger.sent()).isEqualTo(3);
        assertThat(ledger.received()).isEqualTo(1);
        assertThat(ledger.receivedFilling()).isEqualTo(1);
        assertThat(ledger.unansweredSends()).isEqualTo(1);
        assertThat(ledger.unansweredDequeues()).isEqualTo(1);
    }

    @Test
    void shouldWriteTheIdOfEachMessageWhereItIsAskedFor(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("messages.csv");
        try (MessageLedger writing = MessageLedger.writing(file)) {
            writing.answered(SEND, Response.Done.INSTANCE);
            writing.answered(DEQUEUE, new Response.Delivery(message(9)));
        }

        assertThat(Files.readAllLines(file)).hasSize(2);
        assertThat(Files.readAllLines(file).get(0)).matches("sent;000010000002;\\d{13}");
        assertThat(Files.readAllLines(file).get(1)).matches("received;000010000002;\\d{13}");
    }

    @Test
    void shouldCountALeasedMessageAsReceivedOnceItIsAcknowledged() {
        Recording recording = recording(true, 1);
        Message message = new Message(7, 1, new Message.Envelope(3, 0, 5, 0, 0), new Message.Delivery(1, 99), CONTENT);
        Request receive = new Request.ReceiveMessage(MessageQuery.queue(1), 30_000);

        recording.succeeded(receive, new Response.Delivery(message), 200 * MILLI, 201 * MILLI, 202 * MILLI);
        assertThat(ledger.received()).isZero();
        recording.succeeded(new Request.Acknowledge(7, 99), Response.Done.INSTANCE, 202 * MILLI, 203 * MILLI,
                204 * MILLI);
        assertThat(ledger.received()).isEqualTo(1);

        recording.succeeded(receive, new Response.Delivery(message), 205 * MILLI, 206 * MILLI, 207 * MILLI);
        recording.failed(new Request.Acknowledge(7, 99), Status.TIMEOUT, "", 207 * MILLI, 208 * MILLI, 209 * MILLI);
        assertThat(ledger.received()).isEqualTo(1);
        assertThat(ledger.unansweredDequeues()).isEqualTo(1);
    }

    @Test
    void shouldCountAMessageOfASecondLeaseWhoseFirstIsAcknowledgedInVain() {
        Recording recording = recording(true, 1);
        Request receive = new Request.ReceiveMessage(MessageQuery.queue(1), 30_000);
        for (int token : new int[] {99, 100}) {
            recording.succeeded(receive, new Response.Delivery(new Message(7, 1, new Message.Envelope(3, 0, 5, 0, 0),
                    new Message.Delivery(1, token), CONTENT)), 200 * MILLI, 201 * MILLI, 202 * MILLI);
        }

        recording.failed(new Request.Acknowledge(7, 99), Status.UNKNOWN_LEASE, "", 203 * MILLI, 204 * MILLI,
                205 * MILLI);
        recording.succeeded(new Request.Acknowledge(7, 100), Response.Done.INSTANCE, 206 * MILLI, 207 * MILLI,
                208 * MILLI);

        assertThat(ledger.received()).isEqualTo(1);
    }

    @Test
    void shouldCountTheMessagesOfABatchWhoseLeasesWereAcknowledged() {
        Recording recording = recording(true, 1);
        List<Message> messages = new ArrayList<>();
        for (int token : new int[] {97, 98, 99}) {
            messages.add(new Message(token, 1, new Message.Envelope(3, 0, 5, 0, 0), new Message.Delivery(1, token),
                    CONTENT));
        }
        Request receive = new Request.ReceiveMessages(MessageQuery.queue(1), 3, 30_000);
        Request acknowledge = new Request.AcknowledgeMessages(messages.stream().map(Message::lease).toList());

        recording.succeeded(receive, new Response.Deliveries(messages), 200 * MILLI, 201 * MILLI, 202 * MILLI);
        assertThat(ledger.received()).isZero();
        Response settled = new Response.LeaseStatuses(List.of(Status.OK, Status.UNKNOWN_LEASE, Status.OK));
        recording.unexpected(acknowledge, settled, "UNKNOWN_LEASE", "", 202 * MILLI, 203 * MILLI, 204 * MILLI);
        assertThat(ledger.received()).isEqualTo(2);

        recording.succeeded(receive, new Response.Deliveries(messages), 205 * MILLI, 206 * MILLI, 207 * MILLI);
        recording.failed(acknowledge, Status.TIMEOUT, "", 207 * MILLI, 208 * MILLI, 209 * MILLI);
        assertThat(ledger.received()).isEqualTo(2);
        assertThat(ledger.unansweredDequeues()).isEqualTo(1);
    }

    private Recording recording(boolean open, int sample) {
        return new Recording(open, plan::at, (action, start, end, clients, service) -> log.add(action + " "
                + (end - start) / 1_000 + " C[" + clients + "]" + (service < 0 ? "" : " S[" + service / 1_000 + "]")),
                sample, ledger, () -> 7);
    }

    private static Message message(int sender) {
        return message(sender, CONTENT);
    }

    private static Message message(int sender, byte[] content) {
        return new Message(1, 1, new Message.Envelope(sender, 0, 5, 0, 0), new Message.Delivery(1), content);
    }

    /** @param count of its deliveries, this one included */
    private static Message leased(int count, int token, byte[] content) {
        return new Message(9, 1, new Message.Envelope(3, 0, 5, 0, 0), new Message.Delivery(count, token), content);
    }

    private static Request sendOf(int length) {
        return new Request.SendMessage(new int[] {1}, 0, 5, 0, "",
                new LoadMessage(new MessageId(0, 1, 2), 0).encode(length));
    }
}
