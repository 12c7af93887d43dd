package ch.ethz.mlmq.storage.postgresql.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.campaign.PrivateCluster;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests several brokers during a held snapshot: takes begin behind bounds, and no message below a bound is missed. */
class HeldSnapshotTest {
    private static final int BROKERS = 3;
    private static final int THREADS = 4;
    private static final int MESSAGES = 1_000;
    private static final int QUEUES = 3;

    private final List<StorageUser> users = new ArrayList<>();
    private final List<AgentRunner> agents = new ArrayList<>();
    private final Map<String, Integer> received = new ConcurrentHashMap<>();
    private final AtomicInteger timesInUse = new AtomicInteger();
    private final int[] queues = new int[QUEUES];

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldHandOutEveryMessageOnceWhateverComesBack() throws Exception {
        try (PrivateCluster cluster = PrivateCluster.start();
                TestDatabase database = new TestDatabase(cluster.server())) {
            start(database);
            ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS + BROKERS);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                all.add(threads.submit(() -> produce(number)));
                all.add(threads.submit(() -> consume(number)));
            }
            for (StorageUser user : users) {
                all.add(threads.submit(() -> keepBounds(database, user.agent(LowWaterMarksKeeper.class).bounds())));
            }
            for (Future<?> thread : all) {
                thread.get();
            }

            assertThat(received).hasSize(THREADS * MESSAGES);
            assertThat(received.values()).containsOnly(1);
            assertThat(timesInUse).hasPositiveValue();
            assertThat(database.number("SELECT (SELECT count(*) FROM message) + (SELECT count(*) FROM lease)"))
                    .isZero();
            threads.shutdown();
        }
    }

    @AfterEach
    void stop() {
        agents.forEach(AgentRunner::close);
        users.forEach(StorageUser::close);
    }

    private void start(TestDatabase database) throws StorageException {
        for (int i = 0; i < BROKERS; i++) {
            StorageUser user = new StorageUser(database);
            users.add(user);
            user.storage.agents().stream().filter(agent -> !agent.roleName().equals("bounds"))
                    .forEach(agent -> agents.add(AgentRunner.start(agent, Duration.ofMillis(10))));
        }
        for (int i = 0; i < QUEUES; i++) {
            queues[i] = users.get(0).queue();
        }
    }

    /** Moves the bounds without pauses, so that they are close behind the takes, and return soon after a requeue. */
    private Void keepBounds(TestDatabase database, LowWaterMarks bounds) throws SQLException {
        LowWaterMarksKeeper keeper = new LowWaterMarksKeeper(database.address(), bounds);
        bounds.track();
        try (Connection connection = database.address().connect()) {
            while (!isFinished()) {
                keeper.advance(connection);
                if (bounds.isInUse()) {
                    timesInUse.incrementAndGet();
                }
            }
        }
        return null;
    }

    private boolean isFinished() {
        return received.size() == THREADS * MESSAGES;
    }

    /**
     * Sends the second half when bounds are in use: at the latest when all queues are empty, and no message is
     * requeued.
     */
    private Void produce(int number) throws InterruptedException {
        Random random = new Random(number);
        for (int i = 0; i < MESSAGES; i++) {
            while (i == MESSAGES / 2 && timesInUse.get() == 0) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            any(random).send(queues[random.nextInt(QUEUES)], 1 + random.nextInt(10), number + "/" + i);
        }
        return null;
    }

    private Void consume(int number) throws StorageException {
        Random random = new Random(-number - 1);
        while (!isFinished()) {
            int queue = queues[random.nextInt(QUEUES)];
            StorageUser user = any(random);
            int chance = random.nextInt(500);
            if (chance < 300) {
                received(user.take(queue));
            } else if (chance < 490) {
                user.receiveAndAcknowledge(queue, 1 + random.nextInt(5)).forEach(this::received);
            } else if (chance < 494) {
                received(acknowledged(user, user.receive(queue, 600_000)));
            } else if (chance < 496) {
                requeue(random, user.take(queue));
            } else if (chance < 498) {
                release(random, user.receive(queue, 600_000));
            } else {
                user.receive(queue, 1);
            }
        }
        return null;
    }

    private static Message acknowledged(StorageUser user, Message message) {
        if (message != null) {
            user.acknowledge(message);
        }
        return message;
    }

    private void requeue(Random random, Message message) throws StorageException {
        if (message != null) {
            StorageUser user = any(random);
            synchronized (user) { // a broker requeues in one thread
                user.storage.requeue(List.of(message));
            }
        }
    }

    private void release(Random random, Message message) {
        if (message != null) {
            any(random).release(message);
        }
    }

    private void received(Message message) {
        if (message != null) {
            received.merge(new String(message.content()), 1, Integer::sum);
        }
    }

    private StorageUser any(Random random) {
        return users.get(random.nextInt(users.size()));
    }
}
