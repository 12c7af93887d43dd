package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.BlockingSession;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.link.ThreadedLinks;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.SQLException;

/** Links directly to the tables of MLMQ, without a broker. Each client has a connection and a thread. */
public final class DatabaseLinks {
    private DatabaseLinks() {
    }

    /** @param settings name the database; the environment holds its password */
    public static LinkFactory of(Settings settings) {
        DatabaseAddress address = new DatabaseAddress(settings.get(ClientKeys.DB_URL), settings.get(ClientKeys.DB_USER),
                DatabaseAddress.passwordFrom(""));
        long timeoutMillis = settings.get(ClientKeys.TIMEOUT).toMillis();
        return new ThreadedLinks(new SqlSource("the database " + address) {
            @Override
            public boolean echoes() {
                return true;
            }

            @Override
            public BlockingSession connect(ClientId id) throws SQLException {
                return new DatabaseSession(address.connect(), id.number() + 1, timeoutMillis);
            }
        }, settings);
    }
}
