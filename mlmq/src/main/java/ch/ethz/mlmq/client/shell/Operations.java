package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Operations of the shell. Each operation of a broker has a method that returns the lines to show. */
@Command(name = "")
final class Operations {
    private final Shell shell;

    Operations(Shell shell) {
        this.shell = shell;
    }

    /** Options of a message to be sent. */
    static final class Priority {
        @Option(names = "--priority", paramLabel = "N", defaultValue = "5")
        private int value;
    }

    /** Options that select a message. */
    static final class Query {
        @Option(names = "--from", paramLabel = "CLIENT")
        private String sender;

        @Option(names = "--context", paramLabel = "N", defaultValue = "0")
        private long context;

        @Option(names = "--mine")
        private boolean mine;

        @Option(names = "--oldest")
        private boolean oldest;

        @Option(names = "--filter", paramLabel = "FILTER", defaultValue = "", description = "such as \"id = 7\"")
        private String filter;

        private MessageQuery of(Shell shell, String queue, int waitMillis) {
            return new MessageQuery(queue == null ? 0 : shell.queue(queue), sender == null ? 0 : shell.clientId(sender),
                    context, mine, oldest ? MessageQuery.Order.TIME : MessageQuery.Order.PRIORITY, waitMillis, filter);
        }
    }

    @Command(name = "register", description = "register as the client of this name, or as a temporary one")
    String register(@Parameters(paramLabel = "NAME", arity = "0..1") String name) {
        Response.Registered registered = name == null ? shell.client().register() : shell.client().register(name);
        if (name != null) {
            shell.remember(name);
        }
        return "client #" + registered.client() + " with personal queue #" + registered.ownQueue();
    }

    @Command(name = "createQueue", description = "create a queue")
    String createQueue(@Parameters(paramLabel = "NAME") String name) {
        int queue = shell.client().createQueue(name);
        shell.remember(name);
        return "queue #" + queue;
    }

    @Command(name = "deleteQueue", description = "delete a queue and its messages")
    String deleteQueue(@Parameters(paramLabel = "QUEUE") String queue, @Option(names = "--if-empty") boolean ifEmpty) {
        shell.client().deleteQueue(shell.queue(queue), ifEmpty);
        return "deleted";
    }

    @Command(name = "lookupQueue", description = "show the id of a queue")
    String lookupQueue(@Parameters(paramLabel = "NAME") String name) {
        return "queue #" + shell.client().lookupQueue(name);
    }

    @Command(name = "lookupClient", description = "show the id of a client")
    String lookupClient(@Parameters(paramLabel = "NAME") String name) {
        return "client #" + shell.client().lookupClient(name);
    }

    @Command(name = "lookupClientQueue", description = "show the id of a client's personal queue")
    String lookupClientQueue(@Parameters(paramLabel = "CLIENT") String client) {
        return "queue #" + shell.personalQueueOf(client);
    }

    @Command(name = "send", description = "send a message to one or more queues")
    String send(@Parameters(paramLabel = "QUEUE[,QUEUE]") String queues, @Parameters(paramLabel = "TEXT") String text,
            @Mixin Outgoing message, @Option(names = "--receiver", paramLabel = "CLIENT") String receiver) {
        int[] ids = Arrays.stream(queues.split(",")).mapToInt(shell::queue).toArray();
        shell.client().sendMessage(ids, bytes(text), message.priority(), message.options(receiver(receiver)));
        return "sent";
    }

    @Command(name = "createTopic", description = "create a topic")
    String createTopic(@Parameters(paramLabel = "NAME") String name) {
        int topic = shell.client().createTopic(name);
        shell.remember(name);
        return "topic #" + topic;
    }

    @Command(name = "deleteTopic", description = "delete a topic, its subscriptions and their messages")
    String deleteTopic(@Parameters(paramLabel = "TOPIC") String topic) {
        shell.client().deleteTopic(shell.topic(topic));
        return "deleted";
    }

    @Command(name = "lookupTopic", description = "show the id of a topic")
    String lookupTopic(@Parameters(paramLabel = "NAME") String name) {
        return "topic #" + shell.client().lookupTopic(name);
    }

    @Command(name = "subscribe", description = "subscribe to a topic; the subscription is the queue TOPIC/NAME")
    String subscribe(@Parameters(paramLabel = "TOPIC") String topic, @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "FILTER", arity = "0..1", defaultValue = "") String filter,
            @Option(names = "--durable") boolean durable) {
        return "queue #" + shell.client().subscribe(shell.topic(topic), name, filter, durable);
    }

    @Command(name = "unsubscribe", description = "end a subscription and delete its messages")
    String unsubscribe(@Parameters(paramLabel = "TOPIC") String topic, @Parameters(paramLabel = "NAME") String name) {
        shell.client().unsubscribe(shell.topic(topic), name);
        return "unsubscribed";
    }

    @Command(name = "publish", description = "publish a message, and show how many subscriptions it was put into")
    String publish(@Parameters(paramLabel = "TOPIC") String topic, @Parameters(paramLabel = "TEXT") String text,
            @Mixin Outgoing message) {
        return shell.client().publish(shell.topic(topic), bytes(text), message.priority(), message.options(0))
                + " copies";
    }

    @Command(name = "sendToClient", description = "send a message to a client's personal queue")
    String sendToClient(@Parameters(paramLabel = "CLIENT") String client, @Parameters(paramLabel = "TEXT") String text,
            @Mixin Priority priority) {
        shell.client().sendMessageToClient(shell.clientId(client), bytes(text), priority.value);
        return "sent";
    }

    @Command(name = "sendRequest", description = "send a request to a client, and show the context of its response")
    String sendRequest(@Parameters(paramLabel = "CLIENT") String client, @Parameters(paramLabel = "TEXT") String text,
            @Mixin Priority priority) {
        return "context " + shell.client().sendRequestToClient(shell.clientId(client), bytes(text), priority.value);
    }

    @Command(name = "sendResponse", description = "respond to a client's request")
    String sendResponse(@Parameters(paramLabel = "CLIENT") String client,
            @Parameters(paramLabel = "CONTEXT") long context,
            @Parameters(paramLabel = "TEXT") String text, @Mixin Priority priority) {
        shell.client().sendResponseToClient(shell.clientId(client), context, bytes(text), priority.value);
        return "sent";
    }

    @Command(name = "sendMany", description = "send several messages to a queue, all or none")
    String sendMany(@Parameters(paramLabel = "QUEUE") String name,
            @Parameters(paramLabel = "TEXT", arity = "1..*") List<String> texts, @Mixin Priority priority,
            @Option(names = "--receiver", paramLabel = "CLIENT") String receiver,
            @Option(names = "--context", paramLabel = "N", defaultValue = "0") long context) {
        int queue = shell.queue(name);
        int client = receiver(receiver);
        List<OutgoingMessage> messages = texts.stream()
                .map(text -> new OutgoingMessage(queue, client, priority.value, context, "", bytes(text))).toList();
        shell.client().sendMessages(messages);
        return messages.size() + " sent";
    }

    @Command(name = "pending", description = "show the number of messages in your own queue, and up to 20 queues "
            + "with messages for you")
    String pending(@Parameters(paramLabel = "MAX", arity = "0..1", defaultValue = "20") int max,
            @Option(names = "--to-me", description = "only with messages addressed to you") boolean toMe) {
        Response.PendingQueues pending = toMe ? shell.client().queuesWithMessagesToMe(max)
                : shell.client().queuesWithPendingMessages(max);
        String queues = IntStream.of(pending.queues()).mapToObj(id -> "#" + id).collect(Collectors.joining(" "));
        return pending.inOwnQueue() + " in your own queue; queues with messages: "
                + (queues.isEmpty() ? "none" : queues);
    }

    @Command(name = "length", description = "show the number of messages in a queue")
    String length(@Parameters(paramLabel = "QUEUE") String queue) {
        Response.QueueLength length = shell.client().queueLength(shell.queue(queue));
        return length.ready() + " ready, " + length.leased() + " leased";
    }

    @Command(name = "purge", description = "remove all messages of a queue that are not leased")
    String purge(@Parameters(paramLabel = "QUEUE") String queue) {
        return moveAll(shell.queue(queue), 0) + " removed";
    }

    @Command(name = "redrive", description = "move dead letters back into their queue")
    String redrive(@Parameters(paramLabel = "QUEUE") String queue) {
        return moveAll(shell.queue(queue + Limits.DEAD_LETTERS), shell.queue(queue)) + " moved";
    }

    @Command(name = "move", description = "move messages that are not leased to another queue")
    String move(@Parameters(paramLabel = "QUEUE") String queue, @Parameters(paramLabel = "TARGET") String target) {
        return moveAll(shell.queue(queue), shell.queue(target)) + " moved";
    }

    /** Moves about as many as are there now, as others may send meanwhile. */
    private long moveAll(int queue, int target) {
        long ready = shell.client().queueLength(queue).ready();
        long all = 0;
        int moved;
        do {
            moved = shell.client().moveMessages(queue, target, Limits.MAX_LIST);
            all += moved;
        } while (moved > 0 && all < ready);
        return all;
    }

    @Command(name = "peek", description = "show the first message")
    String peek(@Parameters(paramLabel = "QUEUE", arity = "0..1") String queue, @Mixin Query query) {
        return line(shell.client().peekMessage(query.of(shell, queue, 0)));
    }

    @Command(name = "dequeue", description = "dequeue the first message")
    String dequeue(@Parameters(paramLabel = "QUEUE", arity = "0..1") String queue, @Mixin Query query,
            @Option(names = "--wait", paramLabel = "TIME", converter = Millis.class, defaultValue = "0ms") int wait) {
        return line(shell.client().dequeueMessage(query.of(shell, queue, wait)));
    }

    @Command(name = "dequeueMany", description = "dequeue the first messages")
    String dequeueMany(@Parameters(paramLabel = "MAX") int max,
            @Parameters(paramLabel = "QUEUE", arity = "0..1") String queue, @Mixin Query query,
            @Option(names = "--wait", paramLabel = "TIME", converter = Millis.class, defaultValue = "0ms") int wait) {
        return lines(shell.client().dequeueMessages(query.of(shell, queue, wait), max));
    }

    @Command(name = "receive", description = "receive the first message under a lease (30s); acknowledge removes it")
    String receive(@Parameters(paramLabel = "QUEUE", arity = "0..1") String queue, @Mixin Query query,
            @Option(names = "--lease", paramLabel = "TIME", converter = Millis.class, defaultValue = "30s") int lease,
            @Option(names = "--wait", paramLabel = "TIME", converter = Millis.class, defaultValue = "0ms") int wait) {
        return line(shell.client().receiveMessage(query.of(shell, queue, wait), lease));
    }

    @Command(name = "receiveMany", description = "receive the first messages, each under a lease (30s)")
    String receiveMany(@Parameters(paramLabel = "MAX") int max,
            @Parameters(paramLabel = "QUEUE", arity = "0..1") String queue, @Mixin Query query,
            @Option(names = "--lease", paramLabel = "TIME", converter = Millis.class, defaultValue = "30s") int lease,
            @Option(names = "--wait", paramLabel = "TIME", converter = Millis.class, defaultValue = "0ms") int wait) {
        return lines(shell.client().receiveMessages(query.of(shell, queue, wait), max, lease));
    }

    @Command(name = "acknowledgeMany", description = "acknowledge and so remove received messages")
    String acknowledgeMany(@Parameters(paramLabel = "MESSAGE:TOKEN", arity = "1..*") List<String> words) {
        List<Lease> leases = NamedLeases.of(words);
        return lines(leases, "acknowledged", shell.client().acknowledgeMessages(leases));
    }

    @Command(name = "extendMany", description = "extend the leases of received messages")
    String extendMany(@Parameters(paramLabel = "TIME", converter = Millis.class) int lease,
            @Parameters(paramLabel = "MESSAGE:TOKEN", arity = "1..*") List<String> words) {
        List<Lease> leases = NamedLeases.of(words);
        return lines(leases, "extended", shell.client().extendLeases(leases, lease));
    }

    @Command(name = "releaseMany", description = "release received messages, so that they are delivered again")
    String releaseMany(@Parameters(paramLabel = "MESSAGE:TOKEN", arity = "1..*") List<String> words) {
        List<Lease> leases = NamedLeases.of(words);
        return lines(leases, "released", shell.client().releaseMessages(leases));
    }

    @Command(name = "acknowledge", description = "acknowledge and so remove a received message")
    String acknowledge(@Parameters(paramLabel = "MESSAGE") long message, @Parameters(paramLabel = "TOKEN") long token) {
        shell.client().acknowledge(message, token);
        return "acknowledged";
    }

    @Command(name = "extend", description = "extend the lease of a received message")
    String extend(@Parameters(paramLabel = "MESSAGE") long message, @Parameters(paramLabel = "TOKEN") long token,
            @Parameters(paramLabel = "TIME", converter = Millis.class) int lease) {
        shell.client().extend(message, token, lease);
        return "extended";
    }

    @Command(name = "release", description = "release a received message, so that it is delivered again")
    String release(@Parameters(paramLabel = "MESSAGE") long message, @Parameters(paramLabel = "TOKEN") long token) {
        shell.client().release(message, token);
        return "released";
    }

    @Command(name = "echo", description = "ask the broker to send a text back")
    String echo(@Parameters(paramLabel = "TEXT") String text) {
        return new String(shell.client().echo(bytes(text)), StandardCharsets.UTF_8);
    }

    @Command(name = "status", description = "show the broker's state")
    String status() {
        return shell.client().brokerStatus();
    }

    @Command(name = "help", description = "list the commands, or show the usage of one")
    String help(@Parameters(paramLabel = "COMMAND", arity = "0..1") String command) {
        return command == null ? shell.syntax().help() : shell.syntax().help(command);
    }

    @Command(name = "whoami", description = "show your user, its roles and your client")
    String whoAmI() {
        return shell.client().execute("whoami");
    }

    @Command(name = "create", description = "user NAME [password], role NAME: add a user, whose password is the next "
            + "line, or a role")
    String create(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("create", words);
    }

    @Command(name = "alter", description = "user NAME password: change a password, which is the next line")
    String alter(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("alter", words);
    }

    @Command(name = "drop", description = "user NAME, role NAME: remove a user or a role")
    String drop(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("drop", words);
    }

    @Command(name = "grant", description = "send, receive, manage on queue 'orders.%' to NAME; ROLE to USER")
    String grant(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("grant", words);
    }

    @Command(name = "revoke", description = "send, receive, manage on queue 'orders.%' from NAME; ROLE from USER")
    String revoke(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("revoke", words);
    }

    @Command(name = "reserve", description = "client NAME for USER: give the name of a client that belongs to nobody "
            + "to a user")
    String reserve(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("reserve", words);
    }

    @Command(name = "limit", description = "queue 'orders' to 10000 messages, 64 MB, drop oldest (or refuse), age 7d, "
            + "5 attempts, backoff 1s to 1min: give a queue these limits")
    String limit(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("limit", words);
    }

    @Command(name = "unlimit", description = "queue QUEUE: take all limits from a queue")
    String unlimit(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("unlimit", words);
    }

    @Command(name = "describe", description = "queue QUEUE: show the length and the limits of a queue")
    String describe(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("describe", words);
    }

    @Command(name = "list", description = "users: list users, roles, members and grants; limits: list those of queues")
    String list(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) {
        return statement("list", words);
    }

    /** Sends the verifier of a password instead of it. */
    private String statement(String verb, List<String> words) {
        String statement = verb + " " + String.join(" ", words);
        if (!words.get(words.size() - 1).equalsIgnoreCase("password")) {
            return shell.client().execute(statement);
        }
        try {
            return shell.client().execute(statement + " '" + ScramVerifier.of(shell.password()).text() + "'");
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    @Command(name = "close", description = "say goodbye to the broker and leave the shell")
    String close() {
        return shell.leave();
    }

    private int receiver(String client) {
        return client == null ? 0 : shell.clientId(client);
    }

    private static String line(Optional<Message> message) {
        return message.map(MessageLine::of).orElse("no message");
    }

    private static String lines(List<Message> messages) {
        return messages.isEmpty() ? line(Optional.empty())
                : messages.stream().map(MessageLine::of).collect(Collectors.joining("\n"));
    }

    /** @param done word for the status OK */
    private static String lines(List<Lease> leases, String done, List<Status> statuses) {
        return IntStream.range(0, leases.size()).mapToObj(i -> "message " + leases.get(i).message() + ": "
                + (statuses.get(i) == Status.OK ? done : statuses.get(i))).collect(Collectors.joining("\n"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
