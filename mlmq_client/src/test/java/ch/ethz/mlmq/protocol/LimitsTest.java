package ch.ethz.mlmq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
    private static final MessageQuery ANY = MessageQuery.any();
    private static final byte[] CONTENT = new byte[10];
    private static final byte[] TOO_LONG = new byte[2_001];

    private final Limits limits = Limits.defaults();

    static Stream<Arguments> violations() {
        return Stream.of(
                Arguments.of(send(new int[0], 5, 0, "", CONTENT), "number of queues must be within 1..1000, not 0"),
                Arguments.of(send(new int[1_001], 5, 0, "", CONTENT), "within 1..1000, not 1001"),
                Arguments.of(send(new int[] {1}, 0, 0, "", CONTENT), "priority must be within 1..10, not 0"),
                Arguments.of(send(new int[] {1}, 11, 0, "", CONTENT), "priority must be within 1..10, not 11"),
                Arguments.of(send(new int[] {1}, 5, -1, "", CONTENT), "context must be within"),
                Arguments.of(send(new int[] {1}, 5, 0, "k".repeat(101), CONTENT), "a key has at most 100"),
                Arguments.of(send(new int[] {1}, 5, 0, "\0", CONTENT), "none of them NUL"),
                Arguments.of(new Request.SendMessageToClient(1, 0, CONTENT), "priority"),
                Arguments.of(new Request.SendRequestToClient(1, 0, CONTENT), "priority"),
                Arguments.of(new Request.SendResponseToClient(1, 1, 0, CONTENT), "priority"),
                Arguments.of(new Request.SendResponseToClient(1, 0, 5, CONTENT), "context"),
                Arguments.of(new Request.SendMessages(Collections.emptyList()), "messages must be within 1..1000"),
                Arguments.of(bulk(1_001, CONTENT, 5), "not 1001"),
                Arguments.of(bulk(2, CONTENT, 12), "priority"),
                Arguments.of(new Request.QueuesWithPendingMessages(-1, false), "number of queues"),
                Arguments.of(new Request.PeekMessage(ANY.waiting(1)), "wait of a peek"),
                Arguments.of(new Request.DequeueMessage(ANY.waiting(60_001)), "wait [ms] must be within 0..60000"),
                Arguments.of(new Request.DequeueMessage(ANY.waiting(-1)), "wait [ms]"),
                Arguments.of(new Request.DequeueMessages(ANY, 0), "number of messages must be within 1..1000"),
                Arguments.of(new Request.ReceiveMessage(ANY, 0), "lease [ms] must be within 1..43200000"),
                Arguments.of(new Request.Extend(1, 2, 43_200_001), "lease [ms]"),
                Arguments.of(new Request.ReceiveMessages(ANY, 0, 1), "number of messages must be within 1..1000"),
                Arguments.of(new Request.ReceiveMessages(ANY, 1_001, 1), "number of messages"),
                Arguments.of(new Request.ReceiveMessages(ANY, 1, 0), "lease [ms] must be within 1..43200000, not 0"),
                Arguments.of(new Request.ReceiveMessages(ANY.waiting(60_001), 1, 1), "wait [ms]"),
                Arguments.of(new Request.AcknowledgeMessages(List.of()), "number of leases must be within 1..1000"),
                Arguments.of(new Request.ReleaseMessages(leases(1_001)), "within 1..1000, not 1001"),
                Arguments.of(new Request.ExtendLeases(leases(1), 0), "lease [ms] must be within 1..43200000, not 0"),
                Arguments.of(new Request.ExtendLeases(leases(1), 43_200_001), "not 43200001"),
                Arguments.of(new Request.AcknowledgeMessages(List.of(new Lease(1, 2), new Lease(0, 2))),
                        "the id is in lease 2 of 2"),
                Arguments.of(new Request.ReleaseMessages(List.of(new Lease(1, 0))), "the token is in lease 1 of 1"),
                Arguments.of(new Request.LookupClientQueue(1, "alice"), "not by both"));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void shouldNameTheLimitARequestGoesBeyond(Request request, String words) {
        Response.Failure failure = limits.violation(request).orElseThrow();

        assertThat(failure.status()).isEqualTo(Status.INVALID_REQUEST);
        assertThat(failure.text()).contains(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "é", "a/b/c", "/a", "a\0",
            "123456789012345678901234567890123456789012345678901"})
    void shouldRefuseNamesOfOtherCharactersOrTooLong(String name) {
        Stream.of(new Request.Register(name), new Request.CreateQueue(name), new Request.LookupQueue(name),
                new Request.LookupClient(name), new Request.LookupClientQueue(0, name)).forEach(request ->
                assertThat(limits.violation(request).orElseThrow().text()).startsWith("a name has 1..50 characters"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b_c-9", "12345678901234567890123456789012345678901234567890"})
    void shouldAcceptNamesWithinTheLimits(String name) {
        assertThat(limits.violation(new Request.Register(name))).isEmpty();
    }

    @Test
    void shouldRefuseContentBeyondItsLimitWithAStatusOfItsOwn() {
        Stream.of(send(new int[] {1}, 5, 0, "", TOO_LONG), new Request.SendMessageToClient(1, 5, TOO_LONG),
                new Request.SendRequestToClient(1, 5, TOO_LONG), new Request.SendResponseToClient(1, 1, 5, TOO_LONG),
                bulk(2, TOO_LONG, 5), new Request.Echo(TOO_LONG)).forEach(request -> {
                    Response.Failure failure = limits.violation(request).orElseThrow();
                    assertThat(failure.status()).isEqualTo(Status.CONTENT_TOO_LONG);
                    assertThat(failure.text()).isEqualTo("content of 2001 bytes where at most 2000 are accepted");
                });
    }

    @Test
    void shouldAcceptTheGreatestOfEverything() {
        assertThat(limits.violation(send(new int[1_000], 10, Long.MAX_VALUE, "k".repeat(100), new byte[2_000])))
                .isEmpty();
        assertThat(limits.violation(bulk(1_000, new byte[2_000], 1))).isEmpty();
        assertThat(limits.violation(new Request.ReceiveMessage(ANY.waiting(60_000), 43_200_000))).isEmpty();
        assertThat(limits.violation(new Request.ReceiveMessages(ANY.waiting(60_000), 1_000, 43_200_000))).isEmpty();
        assertThat(limits.violation(new Request.ExtendLeases(leases(1_000), 43_200_000))).isEmpty();
        assertThat(limits.violation(new Request.AcknowledgeMessages(List.of(new Lease(-1, -1))))).isEmpty();
    }

    @Test
    void shouldCountNoFewerBytesOfAMessageThanItTakes() {
        for (int content : new int[] {0, 1, 2_000, Limits.GREATEST_CONTENT_BYTES}) {
            Message message = new Message(1, 2, new Message.Envelope(3, 4, 5, 6, 7), new Message.Delivery(8, 9),
                    new byte[content]);
            for (int count : new int[] {1, 3}) {
                assertThat(ResponseCodec.frameBytes(new Response.Deliveries(Collections.nCopies(count, message))) - 16)
                        .isLessThanOrEqualTo(count * Limits.messageBytes(content));
            }
        }
    }

    @Test
    void shouldRefuseLimitsThatCannotBeKept() {
        assertThatThrownBy(() -> new Limits(0, Limits.DEFAULT_PAYLOAD_BYTES))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Limits((1 << 20) + 1, Limits.DEFAULT_PAYLOAD_BYTES))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Limits(2_000, 4_000)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Lease> leases(int count) {
        return Collections.nCopies(count, new Lease(1, 2));
    }

    private static Request send(int[] queues, int priority, long context, String key, byte[] content) {
        return new Request.SendMessage(queues, 0, priority, context, key, content);
    }

    private static Request bulk(int count, byte[] content, int priority) {
        return new Request.SendMessages(Collections.nCopies(count, new OutgoingMessage(1, content, priority)));
    }
}
