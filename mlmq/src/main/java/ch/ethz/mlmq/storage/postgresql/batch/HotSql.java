package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.storage.postgresql.batch.BatchPlan.Round;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.operation.Deliveries;
import ch.ethz.mlmq.storage.postgresql.operation.LeaseOperations;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import ch.ethz.mlmq.storage.postgresql.operation.SharedLocks;
import java.util.ArrayList;
import java.util.List;

/**
 * The texts of a {@link HotStatement}: the guard, then one statement for each phase, of up to four parts.
 *
 * <p>Each part has rows of its own: the messages that were taken or leased, the leases that ended, and for each queue
 * that is gone a row without an id; {@code prio} of the latter two says what they are. A queue to take from that has
 * messages with a receiver ends the transaction with {@link SqlStates#ADDRESSED}, as nothing may be done out of order:
 * see {@link Attempts}.
 */
final class HotSql {
    /** Marks a deleted queue to take from. */
    static final int NOTHING_TO_TAKE_FROM = -2;
    /** Marks a deleted queue to send to. */
    static final int NOTHING_TO_SEND_TO = -3;
    /** An acknowledged lease. */
    static final int ACKNOWLEDGED = -4;

    private static final int ACKNOWLEDGEMENTS = 1;
    private static final int TAKES = 2;
    private static final int LEASES = 4;
    private static final int SENDS = 8;
    private static final int PUBLISHES = 16;
    private static final int SHAPES = 32;

    private static final String COLUMNS = "id, queue_id, sender_id, prio, context, sent_ms, deliveries, content, "
            + "properties";
    /** The queues of takes, with the number of messages; of leases also the time [ms], of bulk takes the bytes. */
    private static final String ASKED = "%1$s AS MATERIALIZED (SELECT u.*, COALESCE(("
            + "SELECT CASE WHEN q.deleted THEN " + NOTHING_TO_TAKE_FROM + " WHEN q.addressed THEN addressed(q.id)"
            + " ELSE 0 END FROM queue q WHERE q.id = u.queue_id), " + NOTHING_TO_TAKE_FROM + ") AS kind "
            + "FROM unnest(%2$s) WITH ORDINALITY AS u(%3$s, at))";
    private static final String FIRST = "SELECT %2$s FROM message m WHERE m.queue_id = %1$s.queue_id "
            + "AND m.receiver_id = 0 ORDER BY m.prio DESC, m.id LIMIT %1$s.n FOR UPDATE SKIP LOCKED";
    /** Priority by priority, and in each behind its bound: see {@link LowWaterMarks}. */
    private static final String FIRST_BEHIND_BOUNDS = "SELECT b.* FROM generate_series(10, 1, -1) AS p(prio), "
            + "LATERAL (SELECT %2$s FROM message m WHERE m.queue_id = %1$s.queue_id AND m.receiver_id = 0 "
            + "AND m.prio = p.prio AND m.id > COALESCE((SELECT CASE WHEN r.last_value = ? THEN ?::int8[] END "
            + "FROM message_return r)[(%1$s.at - 1) * 10 + p.prio], 0) "
            + "ORDER BY m.id LIMIT %1$s.n FOR UPDATE SKIP LOCKED) b LIMIT %1$s.n";
    /** What {@link #FITTING} needs of a message. */
    private static final String SIZED = "m.ctid, m.prio, m.id, octet_length(m.content) + "
            + "COALESCE(octet_length(m.properties), 0) + " + Limits.messageBytes(0) + " AS bytes";
    /** As many of them as fit into the response to a bulk take, and at least one. */
    private static final String FITTING = "SELECT f.ctid FROM (SELECT c.ctid, c.bytes, sum(c.bytes) "
            + "OVER (ORDER BY c.prio DESC, c.id) AS total FROM (%2$s) c) f "
            + "WHERE f.total <= %1$s.bytes OR f.total = f.bytes";
    private static final String REMOVED = "%s AS (DELETE FROM message WHERE ctid = ANY (ARRAY("
            + "SELECT x.ctid FROM %s, LATERAL (%s) x WHERE kind = 0)) RETURNING " + COLUMNS + ")";
    private static final String TOKENS = "named AS MATERIALIZED (SELECT leasing.*, "
            + "(?::int8[])[row_number() OVER ()] AS token FROM leasing), "
            + "leased AS (INSERT INTO lease (message_id, context, sent_ms, queue_id, receiver_id, sender_id, prio, "
            + "deliveries, content, properties, token, until) "
            + "SELECT id, context, sent_ms, queue_id, 0, sender_id, prio, "
            + Deliveries.NEXT + ", content, properties, token, now() + millis * interval '1 ms' "
            + "FROM named JOIN wanted USING (queue_id))";
    private static final String SENT = "sent AS MATERIALIZED (SELECT u.*, (SELECT NOT q.deleted FROM queue q "
            + "WHERE q.id = u.queue_id) AS there FROM unnest(?::int[], ?::int[], ?::int2[], ?::int8[], ?::bytea[]%1$s) "
            + "AS u(queue_id, sender_id, prio, context, content%2$s)), "
            + "stored AS (INSERT INTO message (queue_id, sender_id, prio, context, content%2$s, sent_ms) "
            + "SELECT queue_id, sender_id, prio, context, content%2$s, ? FROM sent WHERE there)";
    /** Publishes, then for each copy the place of its publish and its queue. */
    private static final String PUBLISHED = "published AS MATERIALIZED (SELECT u.*, CASE WHEN (SELECT t.generation "
            + "FROM topic t WHERE t.id = u.topic_id) = u.generation THEN 0 ELSE stale_topic(u.topic_id) END AS kind "
            + "FROM unnest(?::int[], ?::int8[], ?::int[], ?::int2[], ?::int8[], ?::bytea[], ?::bytea[]) "
            + "WITH ORDINALITY AS u(topic_id, generation, sender_id, prio, context, content, properties, at)), "
            + "copied AS (INSERT INTO message (queue_id, sender_id, prio, context, content, properties, sent_ms) "
            + "SELECT c.queue_id, p.sender_id, p.prio, p.context, p.content, p.properties, ? "
            + "FROM unnest(?::int[], ?::int[]) AS c(at, queue_id) JOIN published p USING (at) WHERE p.kind = 0 "
            + "ORDER BY p.at)";
    private static final String ENDED = "ended AS (DELETE FROM lease WHERE" + LeaseOperations.MANY
            + "RETURNING message_id, token)";
    private static final String SELECT_ENDED = "SELECT message_id, 0, 0, " + ACKNOWLEDGED
            + "::int2, 0::int8, 0::int8, 0, NULL::bytea, NULL::bytea, token FROM ended";
    private static final String SELECT_TAKEN = "SELECT " + COLUMNS + ", 0::int8 FROM taken UNION ALL "
            + "SELECT NULL, queue_id, 0, kind::int2, 0, 0, 0, NULL, NULL, 0 FROM asked WHERE kind <> 0";
    private static final String SELECT_LEASED = "SELECT " + COLUMNS + ", token FROM named UNION ALL "
            + "SELECT NULL, queue_id, 0, kind::int2, 0, 0, 0, NULL, NULL, 0 FROM wanted WHERE kind <> 0";
    private static final String SELECT_SENT = "SELECT NULL::int8, queue_id, 0, " + NOTHING_TO_SEND_TO
            + "::int2, 0::int8, 0::int8, 0, NULL::bytea, NULL::bytea, 0::int8 FROM sent WHERE there IS NOT TRUE";

    /** Reads all publishes, so that one without copies compares the generation of its topic, too. */
    private static final String SELECT_PUBLISHED = "SELECT NULL::int8, topic_id, 0, 0::int2, 0::int8, 0::int8, 0, "
            + "NULL::bytea, NULL::bytea, 0::int8 FROM published WHERE kind <> 0";

    private static final int BOUNDED = 1;
    private static final int BULK = 2;
    private static final int PROPERTIES = 4;
    private static final int VARIANTS = 8;
    /** By the variant and the parts that a phase has; made when they are needed. */
    private static final String[][] ROUNDS = new String[VARIANTS][SHAPES];
    private static final String[][] WITH_GUARD = new String[VARIANTS][SHAPES];

    private HotSql() {
    }

    /** @param bounded true if takes begin behind lower bounds */
    static String text(List<Round> rounds, boolean bounded) {
        if (rounds.size() == 1) {
            return guarded(rounds.get(0), variant(rounds.get(0), bounded), shape(rounds.get(0)));
        }
        StringBuilder sql = new StringBuilder(rounds.stream().anyMatch(Round::stores)
                ? SharedLocks.STORING : SharedLocks.STORING_NOTHING);
        for (Round round : rounds) {
            if (round.isHot()) {
                sql.append("; ").append(round(shape(round), variant(round, bounded)));
            }
        }
        return sql.toString();
    }

    private static int variant(Round round, boolean bounded) {
        return (bounded ? BOUNDED : 0) + (round.hasBulkTakes() ? BULK : 0)
                + (round.hasProperties() ? PROPERTIES : 0);
    }

    private static int shape(Round round) {
        return (round.acknowledgements.isEmpty() ? 0 : ACKNOWLEDGEMENTS) + (round.takes.isEmpty() ? 0 : TAKES)
                + (round.leases.isEmpty() ? 0 : LEASES) + (round.sends.isEmpty() ? 0 : SENDS)
                + (round.publishes.isEmpty() ? 0 : PUBLISHES);
    }

    /** @return a query for the places of the messages that a row of the queues gets */
    private static String first(int variant, String asked) {
        boolean bulk = (variant & BULK) != 0;
        String found = String.format((variant & BOUNDED) == 0 ? FIRST : FIRST_BEHIND_BOUNDS, asked,
                bulk ? SIZED : "m.ctid");
        return bulk ? String.format(FITTING, asked, found) : found;
    }

    private static String round(int shape, int variant) {
        String known = ROUNDS[variant][shape];
        if (known == null) {
            known = made(shape, variant);
            ROUNDS[variant][shape] = known;
        }
        return known;
    }

    private static String made(int shape, int variant) {
        String bytes = (variant & BULK) == 0 ? "" : ", ?::int[]";
        String bytesColumn = bytes.isEmpty() ? "" : ", bytes";
        List<String> parts = new ArrayList<>();
        List<String> selects = new ArrayList<>();
        if ((shape & ACKNOWLEDGEMENTS) != 0) {
            parts.add(ENDED);
            selects.add(SELECT_ENDED);
        }
        if ((shape & TAKES) != 0) {
            parts.add(String.format(ASKED, "asked", "?::int[], ?::int[]" + bytes,
                    "queue_id, n" + bytesColumn));
            parts.add(String.format(REMOVED, "taken", "asked", first(variant, "asked")));
            selects.add(SELECT_TAKEN);
        }
        if ((shape & LEASES) != 0) {
            parts.add(String.format(ASKED, "wanted", "?::int[], ?::int[], ?::int[]" + bytes,
                    "queue_id, n, millis" + bytesColumn));
            parts.add(String.format(REMOVED, "leasing", "wanted", first(variant, "wanted")));
            parts.add(TOKENS);
            selects.add(SELECT_LEASED);
        }
        if ((shape & SENDS) != 0) {
            parts.add((variant & PROPERTIES) == 0 ? String.format(SENT, "", "")
                    : String.format(SENT, ", ?::bytea[]", ", properties"));
            selects.add(SELECT_SENT);
        }
        if ((shape & PUBLISHES) != 0) {
            parts.add(PUBLISHED);
            selects.add(SELECT_PUBLISHED);
        }
        return "WITH " + String.join(", ", parts) + " " + String.join(" UNION ALL ", selects);
    }

    private static String guarded(Round round, int variant, int shape) {
        String known = WITH_GUARD[variant][shape];
        if (known == null) {
            known = (round.stores() ? SharedLocks.STORING : SharedLocks.STORING_NOTHING) + "; "
                    + round(shape, variant);
            WITH_GUARD[variant][shape] = known;
        }
        return known;
    }
}
