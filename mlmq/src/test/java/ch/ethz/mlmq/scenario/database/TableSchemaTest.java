package ch.ethz.mlmq.scenario.database;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

class TableSchemaTest {
    @Test
    void shouldVacuumTheTableAsOftenAsMlmqsOwn() throws Exception {
        try (TestDatabase database = new TestDatabase(); Connection connection = database.address().connect()) {
            new TableSchema("compared", true).createSkipLocked(connection);

            assertThat(database.number("SELECT count(*) FROM pg_class o, pg_class t "
                    + "WHERE o.oid = 'public.message'::regclass AND t.oid = 'compared.message'::regclass "
                    + "AND o.reloptions @> t.reloptions AND t.reloptions @> o.reloptions")).isEqualTo(1);
        }
    }
}
