package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of the names that users' clients have, over brokers that register many at the same time. */
@Timeout(120)
class ClientsOfUsersTest {
    private static final int ROUNDS = 20;

    private TestDatabase database;
    private StorageUser one;
    private StorageUser other;

    @BeforeEach
    void start() throws Exception {
        database = new TestDatabase();
        one = new StorageUser(database, Map.of("broker.user.clients", "25"));
        other = new StorageUser(database, Map.of("broker.user.clients", "25"));
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
        database.close();
    }

    @Test
    void shouldRegisterClientsOfManyUsersAtTheSameTime() throws Exception {
        ExecutorService brokers = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < ROUNDS; i++) {
                List<Call> here = List.of(register("alice", "a" + i), register("bob", "b" + i));
                List<Call> there = List.of(register("bob", "c" + i), register("alice", "d" + i));
                CyclicBarrier begin = new CyclicBarrier(2);
                for (Future<?> each : brokers.invokeAll(List.of(executing(begin, one, here),
                        executing(begin, other, there)))) {
                    each.get();
                }
                assertThat(Stream.concat(here.stream(), there.stream()).map(Call::response).toList())
                        .as("round " + i).allMatch(answer -> answer instanceof Response.Registered
                                || answer instanceof Response.Failure refusal
                                && refusal.text().contains("broker.user.clients=25"));
            }
        } finally {
            brokers.shutdownNow();
        }
        assertThat(database.number("SELECT count(*) FROM client_account WHERE account = 'alice'")).isEqualTo(25);
        assertThat(database.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
                .isZero();
    }

    private static Callable<Void> executing(CyclicBarrier begin, StorageUser broker, List<Call> calls) {
        return () -> {
            begin.await();
            broker.storage.execute(new ArrayList<>(calls));
            return null;
        };
    }

    private static Call register(String user, String name) {
        Call call = new Call(new Lane(), new Request.Register(name));
        call.by(user);
        return call;
    }
}
