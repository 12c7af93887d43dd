package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilteredMessage;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.storage.QueryFilter;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Finds the first messages of a query that its filter takes; one object serves one request. */
final class FilterSearch {
    /** Rows that the server sends at a time, and those of the first look. */
    private static final int FETCHED = 1_000;

    private final MessageQuery query;
    private final int client;
    private final Filter filter;
    private final Duration patience;
    private final long deadline;

    /** @param patience longest time of all looks */
    FilterSearch(MessageQuery query, int client, Duration patience) {
        this.query = query;
        this.client = client;
        this.filter = QueryFilter.of(query);
        this.patience = patience;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    /**
     * Looks at messages in the order of the query until enough of them match. As the database sorts all those that it
     * is asked for, each look asks for ten times as many as the one before.
     *
     * @return those that match; if the time is over, those that it has found until then
     * @throws SQLException if the time is over, and none has matched
     */
    Candidates find(Connection connection, int count) throws SQLException {
        for (long most = FETCHED;; most *= 10) {
            Candidates candidates = new Candidates();
            int looked = look(connection, (int) Math.min(most, Integer.MAX_VALUE), count, candidates);
            if (isOver() && candidates.count() == 0) {
                throw tooSlow();
            }
            if (isOver() || candidates.count() >= count || looked < most) {
                return candidates;
            }
        }
    }

    /** @return number of messages at which it has looked */
    private int look(Connection connection, int most, int count, Candidates candidates) throws SQLException {
        CandidateQuery asked = new CandidateQuery(query, client, "id, prio, context, properties", most);
        int looked = 0;
        try (PreparedStatement statement = connection.prepareStatement(asked.sql())) {
            asked.bind(statement);
            statement.setFetchSize(FETCHED);
            try (ResultSet rows = statement.executeQuery()) {
                while (candidates.count() < count && !isOver() && rows.next()) {
                    looked++;
                    if (filter.takes(new FilteredMessage(MessageProperties.ofStored(rows.getBytes("properties")),
                            rows.getInt("prio"), rows.getLong("context")))) {
                        candidates.add(rows);
                    }
                }
            }
        } catch (SQLException e) {
            throw SqlStates.isCanceled(e) ? tooSlow() : e;
        }
        return looked;
    }

    private boolean isOver() {
        return System.nanoTime() - deadline >= 0;
    }

    private SQLException tooSlow() {
        return SqlStates.timeout("the filter has looked for messages for " + patience.toMillis()
                + " ms (broker.db.timeout); name a queue with fewer messages");
    }
}
