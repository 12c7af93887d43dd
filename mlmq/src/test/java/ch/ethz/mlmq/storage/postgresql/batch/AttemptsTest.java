package ch.ethz.mlmq.storage.postgresql.batch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Lane;
import ch.ethz.mlmq.storage.limit.QueueLimits;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.operation.CallFailedException;
import ch.ethz.mlmq.storage.postgresql.operation.Rooms;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String DISK_FULL = "53100";
    private static final String DEADLOCK = "40P01";
    private static final String TIMEOUT = "57014";
    private static final String LOCK_TIMEOUT = "55P03";

    private final Script script = new Script();
    private final List<PlannedCall> calls = IntStream.rangeClosed(1, 4).mapToObj(AttemptsTest::call).toList();

    @Test
    void shouldExecuteABatchTogether() {
        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234");
    }

    @Test
    void shouldExecuteInSeveralTransactionsWhatDoesNotFitIntoOne() {
        script.planHolds = 3;

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("123", "4");
    }

    @Test
    void shouldExecuteEachAloneWhereOneFailsForAReasonOfItsOwn() {
        script.failures.add(new SQLException("1234", UNIQUE_VIOLATION));
        script.failures.add(null);
        script.failures.add(new SQLException("2", UNIQUE_VIOLATION));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234", "1", "2", "3", "4");
        assertThat(script.failed).containsExactly("2");
        assertThat(script.classified).as("each anew, as those before it may have changed what it finds")
                .isEqualTo("12341234");
    }

    @Test
    void shouldFailTheRestWhereTheServerFailsAmongThoseThatAreAlone() {
        script.failures.add(new SQLException("1234", UNIQUE_VIOLATION));
        script.failures.add(null);
        script.failures.add(new SQLException("2", DISK_FULL));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234", "1", "2");
        assertThat(script.failed).containsExactly("234");
    }

    @Test
    void shouldFailAllAtOnceWhereTheServerFails() {
        script.failures.add(new SQLException("1234", DISK_FULL));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234");
        assertThat(script.failed).containsExactly("1234");
    }

    @Test
    void shouldTryAPartAgainBeforeWhatComesBehindIt() {
        script.planHolds = 2;
        script.failures.add(new SQLException("12", UNIQUE_VIOLATION));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("12", "1", "2", "34");
    }

    @Test
    void shouldFailThoseWhoseQueueIsLockedAndExecuteTheOthers() {
        for (int i : new int[] {0, 2}) {
            calls.get(i).arrivals = List.of(new Rooms.Arrival(7, 5, 1, QueueLimits.NONE));
        }
        script.failures.add(new RoomLockedException(new SQLException("1234", LOCK_TIMEOUT)));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234", "24");
        assertThat(script.failed).containsExactly("13");
    }

    @Test
    void shouldExecuteTheOthersOnceMoreWithoutTheOneThatTakesTooLong() {
        script.failures.add(new CallFailedException(calls.get(1).call, new SQLException("2", TIMEOUT)));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234", "134");
        assertThat(script.failed).containsExactly("2");
    }

    @Test
    void shouldNotWaitForASecondOneThatTakesTooLong() {
        script.failures.add(new CallFailedException(calls.get(1).call, new SQLException("2", TIMEOUT)));
        script.failures.add(new CallFailedException(calls.get(0).call, new SQLException("1", TIMEOUT)));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234", "134");
        assertThat(script.failed).containsExactly("2", "134");
    }

    @Test
    void shouldRepeatASingleCallAfterADeadlock() {
        script.planHolds = 1;
        script.failures.add(new SQLException("1", DEADLOCK));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1", "1", "2", "3", "4");
        assertThat(script.failed).isEmpty();
    }

    @Test
    void shouldRepeatACallOfABatchAfterADeadlockAtMostFourTimes() {
        script.failures.add(new SQLException("1234", DEADLOCK));
        script.failures.add(null);
        IntStream.range(0, 5).forEach(i -> script.failures.add(new SQLException("2", DEADLOCK)));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234", "1", "2", "2", "2", "2", "2", "3", "4");
        assertThat(script.failed).containsExactly("2");
    }

    @Test
    void shouldFailAllWhereTheConnectionIsBroken() {
        script.failures.add(new SQLException("1234", UNIQUE_VIOLATION));
        script.broken = true;

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1234");
        assertThat(script.failed).containsExactly("1234");
    }

    @Test
    void shouldExecuteAgainWhatWasClassifiedWrongly() {
        script.planHolds = 2;
        script.failures.add(new SQLException("12", SqlStates.ADDRESSED));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("12", "12", "34");
        assertThat(script.failed).isEmpty();
    }

    @Test
    void shouldKeepOrderAroundACallThatNeedsATransactionOfItsOwn() {
        script.alone = calls.get(1);

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1", "2", "34");
        assertThat(script.classified).as("what comes behind may depend on it").startsWith("12").endsWith("34");
    }

    @Test
    void shouldHoldTheMessagesAgainWhereTheTimeWasTooShort() {
        script.alone = calls.get(0);
        script.failures.add(new SQLException("1", LOCK_TIMEOUT));
        script.failures.add(new SQLException("1", LOCK_TIMEOUT));

        execute(Duration.ofMinutes(1));

        assertThat(script.executed).containsExactly("1", "1", "1", "234");
        assertThat(script.pauses).isEqualTo(2);
        assertThat(script.failed).isEmpty();
    }

    @Test
    void shouldSayThatMessagesAreBeingStoredOnceItHasTriedForLongEnough() {
        script.alone = calls.get(0);
        script.failures.add(new SQLException("1", LOCK_TIMEOUT));

        execute(Duration.ZERO);

        assertThat(script.executed).containsExactly("1", "234");
        assertThat(((Response.Failure) calls.get(0).response()).status()).isEqualTo(Status.OVERLOADED);
    }

    private void execute(Duration patience) {
        new Attempts(script, patience).execute(calls);
    }

    private static PlannedCall call(int number) {
        return new PlannedCall(new Call(new Lane(), new Request.LookupQueue(Integer.toString(number))));
    }

    /** A database with scripted failures. */
    private static final class Script implements Attempts.Transactions {
        /** Failures of the next transactions; null for one that succeeds. */
        private final List<SQLException> failures = new LinkedList<>();
        private final List<String> executed = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();
        private String classified = "";
        private PlannedCall alone;
        private int planHolds = Integer.MAX_VALUE;
        private boolean broken;
        private int pauses;

        @Override
        public List<PlannedCall> joining(PlannedCall call) {
            return List.of();
        }

        @Override
        public void classify(PlannedCall call) {
            classified += number(call);
            call.kind = call == alone ? CallKind.ALONE : CallKind.SINGLE;
        }

        @Override
        public Attempts.Outcome execute(List<PlannedCall> calls) {
            int count = Math.min(planHolds, calls.size());
            executed.add(numbers(calls.subList(0, count)));
            return new Attempts.Outcome(count, failures.isEmpty() ? null : failures.remove(0));
        }

        @Override
        public boolean isClassifiedAnew(List<PlannedCall> calls, SQLException failure) {
            return SqlStates.ADDRESSED.equals(failure.getSQLState());
        }

        @Override
        public boolean isBroken() {
            return broken;
        }

        @Override
        public void pause() {
            pauses++;
        }

        @Override
        public void fail(List<PlannedCall> calls, SQLException failure, Response answer) {
            failed.add(numbers(calls));
            calls.forEach(call -> call.answer(answer));
        }

        private static String numbers(List<PlannedCall> calls) {
            return calls.stream().map(Script::number).collect(Collectors.joining());
        }

        private static String number(PlannedCall call) {
            return ((Request.LookupQueue) call.request()).name();
        }
    }
}
