package ch.ethz.mlmq.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.IdleLink;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.broker.waiting.WaitingRoom;
import ch.ethz.mlmq.client.Await;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.StorageException;
import java.lang.Thread.State;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a storage that cannot requeue messages: everything else continues, and the log names the messages. */
class DeparturesTest {
    private final Logger logger = Logger.getLogger(Departures.class.getName());
    private final List<String> warnings = new ArrayList<>();
    private final List<Storage.Session> offline = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            warnings.add(entry.getMessage());
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };
    private final WaitingRoom waitingRoom = new WaitingRoom(Duration.ofSeconds(1), 1, exchange -> { }, exchange -> { });
    private final Departures departures =
            new Departures(storage(), new Presence(waitingRoom), waitingRoom, Duration.ofMillis(50));

    @BeforeEach
    void listen() {
        logger.setLevel(Level.WARNING);
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
        logger.setLevel(null);
    }

    @Test
    void shouldSayWhoIsOfflineWhereMessagesCannotGoBack() {
        departures.undeliverable(dequeued(7));
        departures.left(new Storage.Session(3, 4));

        departures.doWork();

        assertThat(offline).containsExactly(new Storage.Session(3, 4));
    }

    @Test
    void shouldNameTheMessagesThatCouldNotGoBackBeforeItEnded() {
        departures.undeliverable(dequeued(7));
        departures.doWork();
        departures.undeliverable(dequeued(8));

        departures.onClose();

        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).contains("no room");
        assertThat(warnings.get(1)).contains("not requeued: 2 in all", "message 7 of queue 1, message 8 of queue 1");
    }

    @Test
    void shouldNameAMessageThatComesWhenAllHasEnded() {
        departures.onClose();
        departures.undeliverable(dequeued(9));

        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("not requeued: 1 in all", "message 9 of queue 1");
    }

    @Test
    @SuppressWarnings("try")
    void shouldEndItsRestForWhatComesIn() throws Exception {
        try (AgentRunner resting = AgentRunner.start(departures, Duration.ofHours(1))) {
            Await.until("it rests", () -> Thread.getAllStackTraces().keySet().stream().anyMatch(thread ->
                    thread.getName().equals(departures.roleName()) && thread.getState() == State.TIMED_WAITING));
            departures.left(new Storage.Session(3, 4));

            Await.until("the session is over", () -> offline.contains(new Storage.Session(3, 4)));
        }
    }

    private static Exchange dequeued(long message) {
        ClientConnection connection = IdleLink.connection();
        Request dequeue = new Request.DequeueMessage(MessageQuery.queue(1));
        Exchange exchange = new Exchange(connection, 1, dequeue, Exchange.Size.of(0),
                new Stages(false, 0, 0));
        exchange.answer(new Response.Delivery(new Message(message, 1, new Message.Envelope(2, 0, 5, 0, 0),
                new Message.Delivery(1), new byte[1])));
        return exchange;
    }

    @SuppressWarnings("unchecked")
    private Storage storage() {
        return (Storage) Proxy.newProxyInstance(Storage.class.getClassLoader(), new Class<?>[] {Storage.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("requeue")) {
                        throw new StorageException("no room");
                    }
                    offline.addAll((Collection<Storage.Session>) arguments[0]);
                    return null;
                });
    }
}
