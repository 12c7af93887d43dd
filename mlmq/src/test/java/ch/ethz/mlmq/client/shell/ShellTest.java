package ch.ethz.mlmq.client.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.StubBroker;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShellTest {
    /** Requests that the library sends by itself, without a command of the shell. */
    private static final Set<FrameType> OF_THE_LIBRARY = EnumSet.of(FrameType.HELLO, FrameType.KEEP_ALIVE,
            FrameType.CANCEL, FrameType.RECEIVED, FrameType.AUTHENTICATE, FrameType.GOODBYE);
    private static final Message MESSAGE = new Message(12, 3, new Message.Envelope(1, 0, 5, 0, 0),
            new Message.Delivery(1), "hello".getBytes());

    private static final Message LEASED = MESSAGE.handedOut(new Message.Delivery(1, 77));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private StubBroker broker;
    private Client client;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        broker = new StubBroker(ShellTest::answer);
        broker.grant(Features.BULK_LEASES | Features.QUEUE_LENGTHS | Features.TEMPORARY_CLIENTS
                | Features.STATEMENTS | Features.PROPERTIES | Features.TOPICS | Features.TIMES | Features.MOVES
                | Features.FILTERS | Features.ADDRESSED);
        client = Client.connect(ClientConfig.builder().requestTimeoutMillis(20_000)
                .brokers(BrokerAddress.parseList(broker.address())).build());
        shell = new Shell(client);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    @Test
    void shouldRunAScriptToItsEnd() throws IOException {
        assertThat(script("register alice\n\n# a comment\ncreateQueue jobs\nsend jobs hello\ndequeue jobs\n"))
                .isEqualTo(Script.DONE);

        assertThat(out.toString().lines()).containsExactly("client #1 with personal queue #2", "queue #3", "sent",
                "message 12 queue #3 sender #1 priority 5 sent 1970-01-01T00:00:00Z: hello");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldStopAtTheFirstCommandThatFails() throws IOException {
        assertThat(script("register taken\nregister alice\n")).isEqualTo(Script.FAILED);

        assertThat(err.toString().strip()).isEqualTo("line 1: taken is online");
        assertThat(broker.received()).containsExactly(new Request.Register("taken"));
    }

    @Test
    void shouldStopAtALineThatIsNoCommand() throws IOException {
        assertThat(script("echo one\nfrobnicate\necho two\n")).isEqualTo(Script.WRONG);

        assertThat(out.toString().strip()).isEqualTo("one");
        assertThat(err.toString().strip())
                .isEqualTo("line 2: there is no command \"frobnicate\"; help lists the commands");
    }

    @Test
    void shouldLeaveWhenTold() throws IOException {
        assertThat(script("close\necho one\n")).isEqualTo(Script.DONE);

        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldSendWhatTheOptionsSay() {
        shell.run("send jobs,#7 'two words' --priority 9 --receiver bob --context 5 --key once");

        assertThat(last(Request.SendMessage.class)).usingRecursiveComparison().isEqualTo(
                new Request.SendMessage(new int[] {3, 7}, 4, 9, 5, "once", "two words".getBytes()));
    }

    @Test
    void shouldSendProperties() {
        shell.run("send jobs a --property id=7 --property \"place='7'\" --property price=1.5 --property urgent=true "
                + "--property 'name=two words'");

        assertThat(last(Request.SendMessage.class).properties()).isEqualTo(MessageProperties.NONE.with("id", 7)
                .with("place", "7").with("price", 1.5).with("urgent", true).with("name", "two words"));
        assertThatThrownBy(() -> shell.run("send jobs a --property 7")).isInstanceOf(UsageException.class)
                .hasMessage("\"7\" is not a property; write NAME=VALUE, such as id=7");
        assertThatThrownBy(() -> shell.run("send jobs a --property a.b=7")).isInstanceOf(UsageException.class);
    }

    @Test
    void shouldSendADelayAndATimeToLive() {
        shell.run("send jobs a --delay 10s --ttl 2h --property id=7");

        assertThat(last(Request.SendMessage.class).properties()).isEqualTo(MessageProperties.NONE.with("id", 7)
                .with(MessageProperties.DELAY, 10_000).with(MessageProperties.TIME_TO_LIVE, 7_200_000));
        assertThatThrownBy(() -> shell.run("send jobs a --delay soon")).isInstanceOf(UsageException.class)
                .hasMessageContaining("\"soon\" is not a time; write one such as 250ms, 10s or 2h");
        assertThatThrownBy(() -> shell.run("publish prices a --ttl 400d")).isInstanceOf(UsageException.class);
    }

    @Test
    void shouldMoveAndRemoveTheMessagesOfAQueue() {
        assertThat(shell.run("purge jobs")).isEqualTo("12 removed");
        assertThat(last(MoveMessages.class)).isEqualTo(new MoveMessages(3, 0, 1_000));
        assertThat(shell.run("move #7 jobs")).isEqualTo("12 moved");
        assertThat(last(MoveMessages.class)).isEqualTo(new MoveMessages(7, 3, 1_000));
        assertThat(broker.received().stream().filter(MoveMessages.class::isInstance)).hasSize(2);
    }

    @Test
    void shouldSubscribeAndPublish() {
        assertThat(shell.run("subscribe prices all \"id = 'x'\" --durable")).isEqualTo("queue #6");
        assertThat(shell.run("publish prices a --priority 9 --context 4 --key k --property id=x"))
                .isEqualTo("2 copies");

        assertThat(last(TopicRequest.Subscribe.class))
                .isEqualTo(new TopicRequest.Subscribe(5, "all", "id = 'x'", true));
        assertThat(last(TopicRequest.Publish.class)).usingRecursiveComparison().isEqualTo(new TopicRequest.Publish(
                5, 9, 4, "k", "a".getBytes(), MessageProperties.NONE.with("id", "x")));
    }

    @Test
    void shouldAskForWhatTheOptionsSay() {
        shell.run("dequeueMany 10 jobs --from bob --context 5 --mine --oldest --wait 2s");
        shell.run("receive --lease 1min");
        shell.run("peek");

        assertThat(last(Request.DequeueMessages.class)).isEqualTo(new Request.DequeueMessages(
                MessageQuery.queue(3).from(4).withContext(5).addressedToMe().oldestFirst().waiting(2_000), 10));
        assertThat(last(Request.ReceiveMessage.class))
                .isEqualTo(new Request.ReceiveMessage(MessageQuery.any(), 60_000));
        assertThat(last(Request.PeekMessage.class)).isEqualTo(new Request.PeekMessage(MessageQuery.any()));
    }

    @Test
    void shouldSayWhatCameOfEachLease() {
        assertThat(shell.run("receiveMany 7 jobs --mine --lease 1min --wait 2s").lines()).hasSize(2)
                .allMatch(line -> line.endsWith("token 77: hello"));
        assertThat(shell.run("acknowledgeMany 12:77 13:-5")).isEqualTo(
                "message 12: acknowledged\nmessage 13: UNKNOWN_LEASE");
        assertThat(shell.run("extendMany 30s 12:77 13:5")).isEqualTo("message 12: extended\nmessage 13: UNKNOWN_LEASE");
        assertThat(shell.run("releaseMany 12:77 13:5")).isEqualTo("message 12: released\nmessage 13: UNKNOWN_LEASE");

        assertThat(last(Request.ReceiveMessages.class)).isEqualTo(new Request.ReceiveMessages(
                MessageQuery.queue(3).addressedToMe().waiting(2_000), 7, 60_000));
        assertThat(last(Request.AcknowledgeMessages.class)).isEqualTo(
                new Request.AcknowledgeMessages(List.of(new Lease(12, 77), new Lease(13, -5))));
        assertThat(last(Request.ExtendLeases.class).leaseMillis()).isEqualTo(30_000);
    }

    @Test
    void shouldRegisterWithoutAName() {
        assertThat(shell.run("register")).startsWith("client #");

        assertThat(last(Request.Register.class)).isEqualTo(new Request.Register(""));
    }

    @Test
    void shouldShowTheLengthOfAQueue() {
        assertThat(shell.run("length jobs")).isEqualTo("12 ready, 3 leased");

        assertThat(last(Request.QueueLength.class)).isEqualTo(new Request.QueueLength(3));
    }

    @Test
    void shouldSayWhatIsNoLease() {
        assertThat(shell.run("help extendMany")).startsWith("usage: extendMany TIME MESSAGE:TOKEN...\n");
        for (String wrong : List.of("12", "12:", ":77", "a:7", "12:77:1", "")) {
            assertThatThrownBy(() -> shell.run("acknowledgeMany 12:77 '" + wrong + "'"))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("\"" + wrong + "\" is not a lease; write MESSAGE:TOKEN, such as 12:77");
        }
    }

    @Test
    void shouldReachEveryOperationOfABroker() {
        List.of("register alice", "createQueue jobs", "deleteQueue jobs --if-empty", "lookupQueue jobs",
                "lookupClient bob", "lookupClientQueue bob", "lookupClientQueue #4", "send jobs a",
                "sendToClient bob a", "sendRequest bob a", "sendResponse #4 5 a", "sendMany jobs a b c",
                "pending 3 --to-me", "peek", "dequeue", "dequeueMany 2", "receive", "acknowledge 1 2",
                "extend 1 2 30s", "release 1 2", "echo a", "status", "length jobs",
                "purge jobs", "receiveMany 2", "acknowledgeMany 1:2 3:4", "extendMany 30s 1:2 3:4",
                "releaseMany 1:2 3:4", "whoami", "createTopic prices", "deleteTopic prices", "lookupTopic prices",
                "subscribe prices all", "unsubscribe #5 all", "publish prices a")
                .forEach(shell::run);

        assertThat(broker.received().stream().map(Request::type).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(FrameType.values())
                        .filter(type -> type.isRequest() && !OF_THE_LIBRARY.contains(type)).toList());
    }

    @Test
    void shouldHelpWithEveryCommand() {
        String help = shell.run("help");
        assertThat(shell.completions(List.of())).hasSize(48).allSatisfy(command -> {
            String[] one = shell.run("help " + command).split("\n");
            assertThat(one[0]).startsWith("usage: " + command);
            assertThat(help).containsPattern(command + " +" + Pattern.quote(one[1]));
        });
        assertThat(shell.run("help sendMany")).isEqualTo("""
                usage: sendMany [--context N] [--priority N] [--receiver CLIENT] QUEUE TEXT...
                send several messages to a queue, all or none""");
        assertThatThrownBy(() -> shell.run("help frobnicate")).hasMessageStartingWith("there is no command frobnicate");
    }

    @Test
    void shouldCompleteCommandsThenNamesMetAndOptions() {
        shell.run("createQueue jobs");

        assertThat(shell.completions(List.of())).contains("register", "dequeue", "help");
        assertThat(shell.completions(List.of("dequeue"))).contains("jobs", "--wait", "--mine").doesNotContain("--key");
        assertThat(shell.completions(List.of("help"))).contains("dequeue");
        assertThat(shell.completions(List.of("frobnicate"))).isEmpty();
    }

    @Test
    void shouldSendStatementsAboutLimits() {
        List.of("limit queue 'jobs' to 5 messages, 64 MB, drop oldest", "unlimit queue #3", "describe queue a.dead",
                "list limits").forEach(shell::run);

        assertThat(broker.received()).containsExactly(
                new Statement("limit queue jobs to 5 messages, 64 MB, drop oldest"),
                new Statement("unlimit queue #3"), new Statement("describe queue a.dead"),
                new Statement("list limits"));
    }

    @Test
    void shouldSendStatementsAboutUsersWithoutTheirPasswords() throws IOException {
        assertThat(script("create role readers\ngrant receive, send on queue 'orders.%' to readers\nwhoami\n"
                + "create user alice password\nher password\nlist users\n")).isEqualTo(Script.DONE);

        List<String> texts = broker.received().stream().map(Statement.class::cast).map(Statement::text).toList();
        assertThat(texts).hasSize(5).contains("create role readers", "whoami", "list users",
                "grant receive, send on queue orders.% to readers");
        assertThat(texts.get(3)).startsWith("create user alice password 'SCRAM-SHA-256$4096:")
                .doesNotContain("her password");
        assertThat(out.toString().lines()).allMatch("done"::equals);
        assertThat(script("alter user alice password\n")).isEqualTo(Script.WRONG);
        assertThat(err.toString()).contains("next line");
    }

    private int script(String lines) throws IOException {
        return Script.run(shell, new BufferedReader(new StringReader(lines)), new PrintWriter(out, true),
                new PrintWriter(err, true));
    }

    private <R extends Request> R last(Class<R> type) {
        return broker.received().stream().filter(type::isInstance).map(type::cast)
                .reduce((first, second) -> second).orElseThrow();
    }

    private static void answer(StubBroker.Peer peer, int id, Request request) {
        peer.answer(id, switch (request.type()) {
            case REGISTER -> ((Request.Register) request).name().equals("taken")
                    ? new Response.Failure(Status.CLIENT_ALREADY_ONLINE, "taken is online")
                    : new Response.Registered(1, 2);
            case CREATE_QUEUE, LOOKUP_QUEUE, LOOKUP_CLIENT_QUEUE -> new Response.QueueFound(3, "jobs");
            case LOOKUP_CLIENT -> new Response.ClientFound(4, "bob");
            case CREATE_TOPIC, LOOKUP_TOPIC -> new Response.TopicFound(5, "prices");
            case SUBSCRIBE -> new Response.QueueFound(6, "prices/all");
            case PUBLISH -> new Response.Published(2);
            case SEND_REQUEST_TO_CLIENT -> new Response.ContextAssigned(9);
            case QUEUES_WITH_PENDING_MESSAGES -> new Response.PendingQueues(1, new int[] {3});
            case QUEUE_LENGTH -> new Response.QueueLength(12, 3);
            case PEEK_MESSAGE, DEQUEUE_MESSAGE, RECEIVE_MESSAGE -> new Response.Delivery(MESSAGE);
            case DEQUEUE_MESSAGES -> new Response.Deliveries(List.of(MESSAGE, MESSAGE));
            case RECEIVE_MESSAGES -> new Response.Deliveries(List.of(LEASED, LEASED));
            case ACKNOWLEDGE_MESSAGES, EXTEND_LEASES, RELEASE_MESSAGES ->
                    new Response.LeaseStatuses(List.of(Status.OK, Status.UNKNOWN_LEASE));
            case ECHO -> new Response.Echoed(((Request.Echo) request).content());
            case MOVE_MESSAGES -> new Response.Moved(12);
            case STATEMENT -> new Response.Report("done");
            case BROKER_STATUS -> new Response.StatusReport("{}");
            default -> Response.Done.INSTANCE;
        });
    }
}
