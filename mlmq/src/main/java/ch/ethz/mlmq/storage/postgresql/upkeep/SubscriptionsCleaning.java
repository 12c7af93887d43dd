package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.storage.TemporaryClients;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Ends subscriptions that are not durable, of clients that were offline too long; their queues are deleted. */
public final class SubscriptionsCleaning {
    private static final String END = "UPDATE queue q SET deleted = true, name = NULL FROM subscription s JOIN %s c "
            + "ON c.id = s.client_id WHERE s.client_id <> 0 AND q.id = s.queue_id AND NOT q.deleted";
    private static final String AWAY = String.format(END, "client")
            + " AND c.broker_id IS NULL AND c.seen_at < now() - ? * interval '1 ms'";

    private final long keepMillis;

    /** @param clientKeep time for which named clients are kept; zero: for ever */
    SubscriptionsCleaning(Duration clientKeep) {
        this.keepMillis = TemporaryClients.keep(clientKeep).toMillis();
    }

    /** @return SQL that changes clients as this SQL does, and ends their subscriptions at once */
    public static String ofClients(String update) {
        return "WITH gone AS (" + update + " RETURNING id) " + String.format(END, "gone");
    }

    /** @return number of subscriptions that have ended */
    int remove(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(AWAY)) {
            statement.setLong(1, keepMillis);
            return statement.executeUpdate();
        }
    }
}
