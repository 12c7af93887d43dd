package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.storage.postgresql.batch.BatchPlan.Phase;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.operation.LowerBounds;
import ch.ethz.mlmq.storage.postgresql.operation.SharedLocks;
import java.util.List;

/**
 * The texts of a {@link HotStatement}: the guard, then one statement for the takes and sends of each phase.
 *
 * <p>The statements of the sends and takes each say with a row of its own, without an id, which queue is gone; {@code
 * prio} of that row says for whom. A queue to take from that has messages with a receiver ends the transaction with
 * {@link SqlStates#ADDRESSED}, as nothing may be done out of order: see {@link Attempts}.
 */
final class HotSql {
    /** A queue to take from that is gone. */
    static final int NOTHING_TO_TAKE_FROM = -2;
    /** A queue to send to that is gone. */
    static final int NOTHING_TO_SEND_TO = -3;

    private static final String COLUMNS = "id, queue_id, sender_id, prio, context, sent_ms, deliveries, content";
    private static final String ASKED = "asked AS MATERIALIZED (SELECT u.queue_id, u.n, u.at, COALESCE(("
            + "SELECT CASE WHEN q.deleted THEN " + NOTHING_TO_TAKE_FROM + " WHEN q.addressed THEN addressed(q.id)"
            + " ELSE 0 END FROM queue q WHERE q.id = u.queue_id), " + NOTHING_TO_TAKE_FROM + ") AS kind "
            + "FROM unnest(?::int[], ?::int[]) WITH ORDINALITY AS u(queue_id, n, at))";
    private static final String FIRST = "SELECT m.ctid FROM message m WHERE m.queue_id = asked.queue_id "
            + "AND m.receiver_id = 0 ORDER BY m.prio DESC, m.id LIMIT asked.n FOR UPDATE SKIP LOCKED";
    /** Priority by priority, and in each behind its bound: see {@link LowerBounds}. */
    private static final String FIRST_BEHIND_BOUNDS = "SELECT b.ctid FROM generate_series(10, 1, -1) AS p(prio), "
            + "LATERAL (SELECT m.ctid FROM message m WHERE m.queue_id = asked.queue_id AND m.receiver_id = 0 "
            + "AND m.prio = p.prio AND m.id > COALESCE((SELECT CASE WHEN r.last_value = ? THEN ?::int8[] END "
            + "FROM message_return r)[(asked.at - 1) * 10 + p.prio], 0) "
            + "ORDER BY m.id LIMIT asked.n FOR UPDATE SKIP LOCKED) b LIMIT asked.n";
    private static final String TAKEN = "taken AS (DELETE FROM message WHERE ctid = ANY (ARRAY("
            + "SELECT x.ctid FROM asked, LATERAL (%s) x WHERE asked.kind = 0)) RETURNING " + COLUMNS + ")";
    private static final String SENT = "sent AS MATERIALIZED (SELECT u.*, (SELECT NOT q.deleted FROM queue q "
            + "WHERE q.id = u.queue_id) AS there FROM unnest(?::int[], ?::int[], ?::int2[], ?::int8[], ?::bytea[]) "
            + "AS u(queue_id, sender_id, prio, context, content)), "
            + "stored AS (INSERT INTO message (queue_id, sender_id, prio, context, content, sent_ms) "
            + "SELECT queue_id, sender_id, prio, context, content, ? FROM sent WHERE there)";
    private static final String SELECT_TAKEN = "SELECT " + COLUMNS + " FROM taken UNION ALL "
            + "SELECT NULL, queue_id, 0, kind::int2, 0, 0, 0, NULL FROM asked WHERE kind <> 0";
    private static final String SELECT_SENT = "SELECT NULL::int8, queue_id, 0, " + NOTHING_TO_SEND_TO
            + "::int2, 0::int8, 0::int8, 0, NULL::bytea FROM sent WHERE there IS NOT TRUE";

    /** A phase with takes alone, with sends alone, with both; once from the queues' beginnings, once behind bounds. */
    private static final String[][] PHASES = {
        {null, phase(true, false, FIRST), phase(false, true, FIRST), phase(true, true, FIRST)},
        {null, phase(true, false, FIRST_BEHIND_BOUNDS), phase(false, true, FIRST),
        phase(true, true, FIRST_BEHIND_BOUNDS)}
    };
    private static final String[][] WITH_GUARD = {guarded(PHASES[0]), guarded(PHASES[1])};

    private HotSql() {
    }

    /** @param bounded whether the takes begin behind lower bounds */
    static String text(List<Phase> phases, boolean bounded) {
        int variant = bounded ? 1 : 0;
        if (phases.size() == 1) {
            return WITH_GUARD[variant][shape(phases.get(0))];
        }
        StringBuilder sql = new StringBuilder(phases.stream().allMatch(phase -> phase.sends.isEmpty())
                ? SharedLocks.STORING_NOTHING : SharedLocks.STORING);
        for (Phase phase : phases) {
            if (shape(phase) > 0) {
                sql.append("; ").append(PHASES[variant][shape(phase)]);
            }
        }
        return sql.toString();
    }

    private static int shape(Phase phase) {
        return (phase.takes.isEmpty() ? 0 : 1) + (phase.sends.isEmpty() ? 0 : 2);
    }

    private static String phase(boolean takes, boolean sends, String first) {
        return "WITH " + (takes ? ASKED + ", " + String.format(TAKEN, first) : "") + (takes && sends ? ", " : "")
                + (sends ? SENT : "") + " " + (takes ? SELECT_TAKEN : "") + (takes && sends ? " UNION ALL " : "")
                + (sends ? SELECT_SENT : "");
    }

    private static String[] guarded(String[] phases) {
        String[] texts = new String[phases.length];
        for (int i = 1; i < phases.length; i++) {
            texts[i] = (i == 1 ? SharedLocks.STORING_NOTHING : SharedLocks.STORING) + "; " + phases[i];
        }
        return texts;
    }
}
