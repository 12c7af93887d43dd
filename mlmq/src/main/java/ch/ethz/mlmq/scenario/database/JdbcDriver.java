package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.link.BlockingSession;
import ch.ethz.mlmq.scenario.link.Driver;
import ch.ethz.mlmq.scenario.link.DriverAddress;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.link.ThreadedLinks;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import ch.ethz.mlmq.scenario.workload.TopicFilter;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Drives queues in PostgreSQL without a broker: a table with {@code FOR UPDATE SKIP LOCKED}, or functions such as
 * pgmq's.
 */
public final class JdbcDriver implements Driver {
    private static final Map<String, Integer> PORTS = Map.of("postgresql", 5432);

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public Set<FrameType> operations() {
        return Stream.concat(QUEUE_OPERATIONS.stream(), TOPIC_OPERATIONS.stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(DriverKeys.DRIVER, DriverKeys.ADDRESS, DriverKeys.PREFIX, DriverKeys.PRIORITIES,
                DriverKeys.ACKNOWLEDGE, DriverKeys.SESSIONS);
    }

    @Override
    public List<Key<?>> ownKeys() {
        return JdbcKeys.ALL;
    }

    @Override
    public void check(Settings settings, Scenario scenario) {
        List<DriverAddress> addresses = DriverAddress.of(settings, PORTS);
        if (addresses.size() > 1) {
            throw new ConfigurationException(DriverKeys.ADDRESS.name() + " names " + addresses.size()
                    + " databases; a table is in one");
        }
        if (settings.get(JdbcKeys.TABLE) == JdbcKeys.Table.PGMQ && settings.get(DriverKeys.PRIORITIES)) {
            throw new ConfigurationException(DriverKeys.PRIORITIES.name() + "=true: pgmq has no priorities");
        }
        if (settings.get(JdbcKeys.TABLE) == JdbcKeys.Table.PGMQ && scenario.needs(Scenario.Need.TOPICS)) {
            throw new ConfigurationException(JdbcKeys.TABLE.name() + "=pgmq: pgmq has no topics, as " + scenario.name()
                    + " uses; choose skip_locked");
        }
        checkAcknowledge(settings, scenario);
        if (settings.get(TopicKeys.FILTER).kind() == TopicFilter.Kind.RANGE) {
            throw new ConfigurationException(TopicKeys.FILTER.name()
                    + "=range: the table of subscriptions has no bounds; choose another filter");
        }
    }

    private static void checkAcknowledge(Settings settings, Scenario scenario) {
        if (settings.get(JdbcKeys.TABLE) == JdbcKeys.Table.PGMQ
                && settings.get(JdbcKeys.PGMQ_TAKE) == JdbcKeys.PgmqTake.POP) {
            Acknowledge.require(settings, JdbcKeys.PGMQ_TAKE.name() + "=pop acknowledges nothing; leave one of them "
                    + "out");
            Set<FrameType> used = scenario.operations().apply(settings);
            if (used.contains(FrameType.RECEIVE_MESSAGE) || used.contains(FrameType.RECEIVE_MESSAGES)) {
                throw new ConfigurationException(JdbcKeys.PGMQ_TAKE.name() + "=pop leaves no message to acknowledge, "
                        + "as " + scenario.name() + " does; take by archive or delete");
            }
            if (settings.get(ClientKeys.BATCH_TAKE) > 1) {
                throw new ConfigurationException(JdbcKeys.PGMQ_TAKE.name() + "=pop takes one message at a time; set "
                        + ClientKeys.BATCH_TAKE.name() + "=1, or take by archive or delete");
            }
        } else if (settings.get(JdbcKeys.TABLE) == JdbcKeys.Table.PGMQ) {
            Acknowledge.require(settings, "pgmq commits each read by itself; choose each or batch, or "
                    + JdbcKeys.PGMQ_TAKE.name() + "=pop, which acknowledges nothing", Acknowledge.EACH,
                    Acknowledge.BATCH);
        } else {
            Acknowledge.require(settings, "a commit ends the locks of all rows of a take; choose batch, none or "
                    + "transacted", Acknowledge.BATCH, Acknowledge.NONE, Acknowledge.TRANSACTED);
        }
    }

    @Override
    public LinkFactory links(Settings settings) {
        DriverAddress server = DriverAddress.of(settings, PORTS).get(0);
        DatabaseAddress address = database(server);
        boolean pgmq = settings.get(JdbcKeys.TABLE) == JdbcKeys.Table.PGMQ;
        Numbering numbering = new Numbering(settings);
        TableSchema schema = new TableSchema(settings.get(DriverKeys.PREFIX), settings.get(DriverKeys.PRIORITIES));
        long timeoutMillis = settings.get(ClientKeys.TIMEOUT).toMillis();
        return new ThreadedLinks(new SqlSource("PostgreSQL at " + server) {
            @Override
            public BlockingSession connect(ClientId id) throws SQLException {
                QueueInTables queue = pgmq
                        ? PgmqQueue.open(address, schema, settings.get(JdbcKeys.PGMQ_TAKE),
                                settings.get(DriverKeys.ACKNOWLEDGE) == Acknowledge.EACH, timeoutMillis)
                        : SkipLockedQueue.open(address, schema, timeoutMillis);
                return new TableSession(queue, pgmq ? null : new TopicsInTables(queue), numbering,
                        numbering.client(id));
            }
        }, settings);
    }

    private static DatabaseAddress database(DriverAddress address) {
        return new DatabaseAddress("jdbc:postgresql://" + address.host() + ":" + address.port() + "/" + address.path()
                + (address.query().isEmpty() ? "" : "?" + address.query()), address.user(), DriverAddress.password());
    }
}
