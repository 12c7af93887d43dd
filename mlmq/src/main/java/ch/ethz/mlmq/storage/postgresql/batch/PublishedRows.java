package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.TopicRequest;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** The parameters of the published messages of a phase: each content once, however many copies there are. */
final class PublishedRows {
    private PublishedRows() {
    }

    /** @return the place of the next parameter */
    static int bind(PreparedStatement statement, int at, List<PlannedCall> publishes) throws SQLException {
        int size = publishes.size();
        int[] senders = new int[size];
        short[] priorities = new short[size];
        byte[][] contents = new byte[size][];
        byte[][] properties = new byte[size][];
        int[] places = new int[publishes.stream().mapToInt(call -> call.copies.length).sum()];
        int[] queues = new int[places.length];
        int copies = 0;
        for (int i = 0; i < size; i++) {
            PlannedCall call = publishes.get(i);
            senders[i] = call.call.client();
            priorities[i] = (short) publish(call).priority();
            contents[i] = publish(call).content();
            properties[i] = publish(call).properties().stored();
            Arrays.fill(places, copies, copies + call.copies.length, i + 1);
            System.arraycopy(call.copies, 0, queues, copies, call.copies.length);
            copies += call.copies.length;
        }
        statement.setObject(at, publishes.stream().mapToInt(call -> publish(call).topic()).toArray());
        statement.setObject(at + 1, publishes.stream().mapToLong(call -> call.subscriptions.generation()).toArray());
        statement.setObject(at + 2, senders);
        statement.setObject(at + 3, priorities);
        statement.setObject(at + 4, publishes.stream().mapToLong(call -> publish(call).context()).toArray());
        statement.setObject(at + 5, contents);
        statement.setObject(at + 6, properties);
        statement.setLong(at + 7, System.currentTimeMillis());
        statement.setObject(at + 8, places);
        statement.setObject(at + 9, queues);
        return at + 10;
    }

    private static TopicRequest.Publish publish(PlannedCall call) {
        return (TopicRequest.Publish) call.request();
    }
}
