package ch.ethz.mlmq.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.Message;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PutBackTest {
    /** PostgreSQL may have committed when it dies, or the network, before it says so. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPutAMessageBackOnceWhereNobodySaysWhetherItWasCommitted(boolean committed) throws Exception {
        try (TestDatabase database = new TestDatabase(); StorageUser user = new StorageUser(database);
                Connection connection = database.address().connect()) {
            connection.setAutoCommit(false);
            int queue = user.queue();
            user.send(queue, 5, "once");
            Message taken = user.take(queue);
            PutBack putBack = new PutBack();

            assertThatThrownBy(() -> putBack.putBack(silent(connection, committed), List.of(taken))).hasMessage("silence");
            assertThat(user.take(queue) != null).isEqualTo(committed);
            putBack.putBack(connection, List.of(taken));

            assertThat(user.take(queue) != null).isEqualTo(!committed);
        }
    }

    /** @return the same connection, which commits or rolls back and then breaks */
    private static Connection silent(Connection connection, boolean commits) {
        return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(), new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("commit")) {
                        return method.invoke(connection, arguments);
                    }
                    if (commits) {
                        connection.commit();
                    } else {
                        connection.rollback();
                    }
                    throw new SQLException("silence");
                });
    }
}
