package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What can be done in the shell: one for each operation of a broker, under its name. */
enum Operation {
    REGISTER("register NAME", "be the client of that name", Operation::register),
    CREATE_QUEUE("createQueue NAME", "create a queue", Operation::createQueue),
    DELETE_QUEUE("deleteQueue QUEUE [--if-empty]", "delete a queue and its messages", Operation::deleteQueue),
    LOOKUP_QUEUE("lookupQueue NAME", "show the id of a queue", (shell, given) ->
            "queue #" + shell.client().lookupQueue(given.word(0))),
    LOOKUP_CLIENT("lookupClient NAME", "show the id of a client", (shell, given) ->
            "client #" + shell.client().lookupClient(given.word(0))),
    LOOKUP_CLIENT_QUEUE("lookupClientQueue CLIENT", "show the id of a client's personal queue", (shell, given) ->
            "queue #" + shell.personalQueueOf(given.word(0))),
    SEND("send QUEUE[,QUEUE] TEXT [--priority N] [--receiver CLIENT] [--context N] [--key KEY]",
            "put a message into one or more queues", Operation::send),
    SEND_TO_CLIENT("sendToClient CLIENT TEXT [--priority N]", "put a message into a client's personal queue",
            Operation::sendToClient),
    SEND_REQUEST("sendRequest CLIENT TEXT [--priority N]", "the same, and show the context its response will carry",
            Operation::sendRequest),
    SEND_RESPONSE("sendResponse CLIENT CONTEXT TEXT [--priority N]", "respond to a client's request",
            Operation::sendResponse),
    SEND_MANY("sendMany QUEUE TEXT… [--priority N] [--receiver CLIENT] [--context N]",
            "put several messages into a queue, all or none", Operation::sendMany),
    PENDING("pending [MAX]", "show how much waits for you, and in which queues (up to 20)", Operation::pending),
    PEEK("peek [QUEUE] [--from CLIENT] [--context N] [--mine] [--oldest]", "show the first message", Operation::peek),
    DEQUEUE("dequeue [QUEUE] [--from CLIENT] [--context N] [--mine] [--oldest] [--wait TIME]",
            "take the first message", Operation::dequeue),
    DEQUEUE_MANY("dequeueMany MAX [QUEUE] [--from CLIENT] [--context N] [--mine] [--oldest] [--wait TIME]",
            "take the first messages", Operation::dequeueMany),
    RECEIVE("receive [QUEUE] [--lease TIME] [--from CLIENT] [--context N] [--mine] [--oldest] [--wait TIME]",
            "take the first message under a lease (30s), to be acknowledged", Operation::receive),
    ACKNOWLEDGE("acknowledge MESSAGE TOKEN", "remove a message received", (shell, given) -> {
        shell.client().acknowledge(given.longNumber(0), given.longNumber(1));
        return "acknowledged";
    }),
    EXTEND("extend MESSAGE TOKEN TIME", "let the lease of a message received run out later", (shell, given) -> {
        shell.client().extend(given.longNumber(0), given.longNumber(1), given.millis(2));
        return "extended";
    }),
    RELEASE("release MESSAGE TOKEN", "give a message received back", (shell, given) -> {
        shell.client().release(given.longNumber(0), given.longNumber(1));
        return "released";
    }),
    ECHO("echo TEXT", "have the broker send a text back", (shell, given) ->
            new String(shell.client().echo(bytes(given.word(0))), StandardCharsets.UTF_8)),
    STATUS("status", "show the broker's state", (shell, given) -> shell.client().brokerStatus()),
    HELP("help [COMMAND]", "show the commands, or one of them", (shell, given) -> Help.about(given)),
    CLOSE("close", "say goodbye and leave", (shell, given) -> shell.leave());

    /** The work itself; gives the lines to show. */
    @FunctionalInterface
    interface Action {
        String run(Shell shell, Arguments given);
    }

    private static final int PRIORITY = 5;

    private final String usage;
    private final String purpose;
    private final Action action;

    Operation(String usage, String purpose, Action action) {
        this.usage = usage;
        this.purpose = purpose;
        this.action = action;
    }

    /** @return what it is called in the shell */
    String command() {
        int end = usage.indexOf(' ');
        return end < 0 ? usage : usage.substring(0, end);
    }

    String usage() {
        return usage;
    }

    String purpose() {
        return purpose;
    }

    String run(Shell shell, List<String> given) {
        return action.run(shell, Arguments.parse(usage, given));
    }

    static Optional<Operation> called(String command) {
        return Arrays.stream(values()).filter(operation -> operation.command().equals(command)).findFirst();
    }

    private static String register(Shell shell, Arguments given) {
        Response.Registered registered = shell.client().register(given.word(0));
        shell.remember(given.word(0));
        return "client #" + registered.client() + " with personal queue #" + registered.ownQueue();
    }

    private static String createQueue(Shell shell, Arguments given) {
        int queue = shell.client().createQueue(given.word(0));
        shell.remember(given.word(0));
        return "queue #" + queue;
    }

    private static String deleteQueue(Shell shell, Arguments given) {
        shell.client().deleteQueue(shell.queue(given.word(0)), given.has("--if-empty"));
        return "deleted";
    }

    private static String send(Shell shell, Arguments given) {
        int[] queues = Arrays.stream(given.word(0).split(",")).mapToInt(shell::queue).toArray();
        SendOptions options = new SendOptions(receiver(shell, given), given.longNumber("--context", 0),
                given.option("--key", ""));
        shell.client().sendMessage(queues, bytes(given.word(1)), priority(given), options);
        return "sent";
    }

    private static String sendToClient(Shell shell, Arguments given) {
        shell.client().sendMessageToClient(shell.clientId(given.word(0)), bytes(given.word(1)), priority(given));
        return "sent";
    }

    private static String sendRequest(Shell shell, Arguments given) {
        return "context " + shell.client().sendRequestToClient(
                shell.clientId(given.word(0)), bytes(given.word(1)), priority(given));
    }

    private static String sendResponse(Shell shell, Arguments given) {
        shell.client().sendResponseToClient(
                shell.clientId(given.word(0)), given.longNumber(1), bytes(given.word(2)), priority(given));
        return "sent";
    }

    private static String sendMany(Shell shell, Arguments given) {
        int queue = shell.queue(given.word(0));
        int receiver = receiver(shell, given);
        long context = given.longNumber("--context", 0);
        int priority = priority(given);
        List<OutgoingMessage> messages = given.wordsFrom(1).stream()
                .map(text -> new OutgoingMessage(queue, receiver, priority, context, "", bytes(text))).toList();
        shell.client().sendMessages(messages);
        return messages.size() + " sent";
    }

    private static String pending(Shell shell, Arguments given) {
        Response.PendingQueues pending = shell.client().queuesWithPendingMessages(given.number(0, 20));
        String queues = IntStream.of(pending.queues()).mapToObj(id -> "#" + id).collect(Collectors.joining(" "));
        return pending.inOwnQueue() + " in your own queue; queues with messages: "
                + (queues.isEmpty() ? "none" : queues);
    }

    private static String peek(Shell shell, Arguments given) {
        return line(shell.client().peekMessage(query(shell, given, 0)));
    }

    private static String dequeue(Shell shell, Arguments given) {
        return line(shell.client().dequeueMessage(query(shell, given, 0)));
    }

    private static String dequeueMany(Shell shell, Arguments given) {
        List<Message> messages = shell.client().dequeueMessages(query(shell, given, 1), given.number(0));
        return messages.isEmpty() ? line(Optional.empty())
                : messages.stream().map(MessageLine::of).collect(Collectors.joining("\n"));
    }

    private static String receive(Shell shell, Arguments given) {
        return line(shell.client().receiveMessage(
                query(shell, given, 0), given.millis("--lease", Duration.ofSeconds(30))));
    }

    private static MessageQuery query(Shell shell, Arguments given, int queueIndex) {
        int queue = given.count() > queueIndex ? shell.queue(given.word(queueIndex)) : 0;
        int sender = given.has("--from") ? shell.clientId(given.option("--from", "")) : 0;
        return new MessageQuery(queue, sender, given.longNumber("--context", 0), given.has("--mine"),
                given.has("--oldest") ? MessageQuery.Order.TIME : MessageQuery.Order.PRIORITY,
                given.millis("--wait", Duration.ZERO));
    }

    private static int priority(Arguments given) {
        return given.number("--priority", PRIORITY);
    }

    private static int receiver(Shell shell, Arguments given) {
        return given.has("--receiver") ? shell.clientId(given.option("--receiver", "")) : 0;
    }

    private static String line(Optional<Message> message) {
        return message.map(MessageLine::of).orElse("no message");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
