package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Places of messages, in order. */
final class Candidates {
    private final List<String> places = new ArrayList<>();
    private final List<Long> ids = new ArrayList<>();
    private final List<Integer> bytes = new ArrayList<>();

    int count() {
        return places.size();
    }

    void add(ResultSet row) throws SQLException {
        bytes.add(Limits.messageBytes(row.getInt("bytes")));
        places.add(row.getString("ctid"));
        ids.add(row.getLong("id"));
    }

    void bind(PreparedStatement statement) throws SQLException {
        statement.setObject(1, places.toArray(new String[0]));
        statement.setObject(2, ids.stream().mapToLong(Long::longValue).toArray());
    }

    /**
     * @return how many of them surely fit into the rest of a response, whichever of them others take; at least one
     */
    int fitting(int max, int maxBytes, List<Message> taken) {
        long left = maxBytes;
        for (Message message : taken) {
            left -= Limits.messageBytes(message.bytes());
        }
        int count = 0;
        bytes.sort(Comparator.reverseOrder());
        while (count < Math.min(max, bytes.size()) && left >= bytes.get(count)) {
            left -= bytes.get(count);
            count++;
        }
        if (count == bytes.size()) {
            return max;
        }
        return count == 0 && taken.isEmpty() ? 1 : count;
    }
}
