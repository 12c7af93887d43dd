package ch.ethz.mlmq.broker.audit;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.access.AccessStatement;
import ch.ethz.mlmq.storage.access.AccountDirectory;
import ch.ethz.mlmq.storage.limit.QueueStatement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * Writes down who connected, was refused, created, deleted and granted, without contents of messages. Any thread may
 * tell it; its own thread writes. It loses lines rather than delay a request, and says how many.
 */
public final class AuditLog implements Agent {
    /** Pause between two looks for lines. */
    public static final Duration IDLE = Duration.ofMillis(50);
    /** Writes nothing. */
    public static final AuditLog NONE = new AuditLog(null);
    private static final Logger LOG = Logger.getLogger(AuditLog.class.getName());
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern VERIFIER = Pattern.compile("'SCRAM[^']*'");
    private static final Who NOBODY = new Who("", "");
    private static final long FILE_BYTES = 10_000_000;
    private static final int WAITING_MAX = 10_000;

    private final AuditFile file;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final AtomicLong lost = new AtomicLong();
    private final Map<Refusal, Repeated> refused = new EnumMap<>(Refusal.class);
    /** Of this second: by event and user. */
    private final Map<String, Repeated> arrivals = new HashMap<>();
    private final Every second = Every.after(Duration.ofSeconds(1));
    private final Outage outage = new Outage(LOG, "writing the audit log");
    /** A line that could not be written, or null. */
    private String unwritten;

    private record Repeated(long times, String last) {
        private static Repeated oneMore(Repeated before, String last) {
            return new Repeated(before == null ? 1 : before.times + 1, last);
        }
    }

    private AuditLog(AuditFile file) {
        this.file = file;
    }

    /** @param path of the file, which is continued */
    public static AuditLog to(Path path) {
        return new AuditLog(new AuditFile(path, FILE_BYTES));
    }

    /** @return true if it writes */
    public boolean isKept() {
        return file != null;
    }

    /**
     * Writes a line.
     *
     * @param event what happened, one word
     * @param who   user and address
     * @param what  further words, or empty
     */
    public void happened(String event, Who who, String what) {
        if (file != null && !waiting.offer(line(event, who + (what.isEmpty() ? "" : " " + what)))) {
            lost.incrementAndGet();
        }
    }

    /**
     * Writes a line for the first event of its kind and user in a second, and one for all further ones, so that nobody
     * can wash other lines out of the log.
     */
    public void arrived(String event, Who who, String what) {
        if (file == null) {
            return;
        }
        boolean isFirst;
        synchronized (arrivals) {
            isFirst = arrivals.put(event + " user=" + who.user(), Repeated.oneMore(
                    arrivals.get(event + " user=" + who.user()), who + (what.isEmpty() ? "" : " " + what))) == null;
        }
        if (isFirst) {
            happened(event, who, what);
        }
    }

    /** Writes down a request that has created, deleted or changed something, or wanted what belongs to others. */
    public void executed(Request request, Response response, Supplier<Who> who) {
        if (file == null) {
            return;
        }
        if (response instanceof Response.Failure failure) {
            if (failure.status() == Status.NOT_PERMITTED || failure.status() == Status.NOT_OWNER) {
                refused(Refusal.PERMISSION, who.get());
            } else if (Failures.isOfUsersLimit(request, response)) {
                refused(Refusal.LIMIT, who.get());
            }
        } else if (request instanceof Request.Register register) {
            arrived("registered", who.get(), "client=" + register.name());
        } else if (request instanceof Request.CreateQueue create) {
            happened("created", who.get(), "queue=" + create.name() + " id="
                    + ((Response.QueueFound) response).queue());
        } else if (request instanceof Request.DeleteQueue delete) {
            happened("deleted", who.get(), "queue id=" + delete.queue());
        } else if (request instanceof MoveMessages move && ((Response.Moved) response).messages() > 0) {
            happened(move.target() == 0 ? "deleted" : "moved", who.get(), "messages=" + ((Response.Moved) response)
                    .messages() + " queue id=" + move.queue() + (move.target() == 0 ? "" : " to=" + move.target()));
        } else if (request instanceof TopicRequest) {
            executedOnTopic(request, response, who);
        } else if (request instanceof Statement statement && changes(statement.text())) {
            String words = SPACE.matcher(statement.text().strip()).replaceAll(" ");
            happened("changed", who.get(), VERIFIER.matcher(words).replaceAll("'…'"));
        }
    }

    private static boolean changes(String statement) {
        return QueueStatement.isOne(statement) ? QueueStatement.parse(statement).wanted() != null
                : AccessStatement.parse(statement).changes();
    }

    private void executedOnTopic(Request request, Response response, Supplier<Who> who) {
        if (request instanceof TopicRequest.CreateTopic create) {
            happened("created", who.get(), "topic=" + create.name() + " id="
                    + ((Response.TopicFound) response).topic());
        } else if (request instanceof TopicRequest.DeleteTopic delete) {
            happened("deleted", who.get(), "topic id=" + delete.topic());
        } else if (request instanceof TopicRequest.Subscribe subscribe) {
            happened("created", who.get(), "subscription=" + subscribe.name() + " topic id=" + subscribe.topic()
                    + " queue id=" + ((Response.QueueFound) response).queue());
        } else if (request instanceof TopicRequest.Unsubscribe unsubscribe) {
            happened("deleted", who.get(), "subscription=" + unsubscribe.name() + " topic id=" + unsubscribe.topic());
        }
    }

    /** Writes down what has changed between two looks at the users, whichever program changed it. */
    public void noticed(AccountDirectory before, AccountDirectory now) {
        if (file == null) {
            return;
        }
        noticed("gone: ", before.facts(), now.facts());
        noticed("new: ", now.facts(), before.facts());
        now.newPasswords(before).forEach(user -> happened("noticed", NOBODY, "new: password of user " + user));
    }

    /** @param facts since when each is true */
    private void noticed(String word, Map<String, Long> facts, Map<String, Long> others) {
        facts.forEach((fact, since) -> {
            if (!since.equals(others.get(fact))) {
                happened("noticed", NOBODY, word + fact);
            }
        });
    }

    /** Counts a refusal: there is one line a second and reason, with the last one's user and address. */
    public void refused(Refusal why, Who who) {
        if (file != null) {
            synchronized (refused) {
                refused.put(why, Repeated.oneMore(refused.get(why), who.toString()));
            }
        }
    }

    @Override
    public String roleName() {
        return "audit";
    }

    @Override
    public int doWork() {
        if (second.isDue(System.nanoTime())) {
            summarize();
        }
        return write();
    }

    private void summarize() {
        Map<String, Repeated> further;
        synchronized (arrivals) {
            further = new HashMap<>(arrivals);
            arrivals.clear();
        }
        further.forEach((event, one) -> {
            if (one.times > 1) {
                offer(line(event.substring(0, event.indexOf(' ')), one.last + " times=" + (one.times - 1)));
            }
        });
        Map<Refusal, Repeated> all;
        synchronized (refused) {
            all = new EnumMap<>(refused);
            refused.clear();
        }
        all.forEach((why, one) -> offer(line("refused", one.last + " reason=" + why.word() + " times=" + one.times)));
        long gone = lost.getAndSet(0);
        if (gone > 0) {
            offer(line("lost", "times=" + gone));
        }
    }

    private void offer(String line) {
        if (!waiting.offer(line)) {
            lost.incrementAndGet();
        }
    }

    /** @return lines written */
    private int write() {
        int written = 0;
        try {
            for (String line = next(); line != null; line = next()) {
                file.write(line);
                unwritten = null;
                written++;
            }
            if (written > 0) {
                outage.worked();
            }
        } catch (IOException e) {
            outage.failed(e.toString(), e);
            closeFile();
        }
        return written;
    }

    private String next() {
        unwritten = unwritten == null ? waiting.poll() : unwritten;
        return unwritten;
    }

    @Override
    public void onClose() {
        summarize();
        write();
        closeFile();
    }

    private void closeFile() {
        try {
            file.close();
        } catch (IOException e) {
            outage.failed(e.toString(), e);
        }
    }

    private static String line(String event, String words) {
        return TIME.format(Instant.now()) + " " + event + " " + words;
    }

    /**
     * Of whom a line tells.
     *
     * @param user    a user that exists; empty if there is none, or nobody knows whether there is
     * @param address where it comes from; empty if that is not known
     */
    public record Who(String user, String address) {
        @Override
        public String toString() {
            return "user=" + (user.isEmpty() ? "-" : user) + " address=" + (address.isEmpty() ? "-" : address);
        }
    }
}
