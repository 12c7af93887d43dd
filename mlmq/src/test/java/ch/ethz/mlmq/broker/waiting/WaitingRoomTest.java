package ch.ethz.mlmq.broker.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.IdleLink;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Arrivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingRoomTest {
    private static final int CAPACITY = 16;

    private final List<Exchange> again = new ArrayList<>();
    private final List<Exchange> answered = new ArrayList<>();
    private final WaitingRoom room = new WaitingRoom(Duration.ofHours(1), CAPACITY, again::add, answered::add);

    @Test
    void shouldKeepRoomForFirstRequestsOfOtherConnections() {
        ClientConnection greedy = connection();
        ClientConnection other = connection();
        int parked = 0;
        while (parks(waits(greedy, 1, MessageQuery.queue(7)))) {
            parked++;
        }
        assertThat(parked).isEqualTo(CAPACITY / 2 + 1);
        while (parks(waits(other, 2, MessageQuery.queue(7)))) {
            parked++;
        }
        assertThat(parked).isLessThan(CAPACITY);

        assertThat(parks(waits(connection(), 3, MessageQuery.queue(7)))).isTrue();
        Exchange refused = waits(greedy, 1, MessageQuery.queue(7));
        assertThat(parks(refused)).isFalse();
        assertThat(refused.response()).isInstanceOfSatisfying(Response.Failure.class, failure -> {
            assertThat(failure.status()).isEqualTo(Status.OVERLOADED);
            assertThat(failure.text()).contains("broker.requestqueue.size=16");
        });
    }

    @Test
    void shouldKeepThePlaceOfOneThatWasCalledInVain() {
        List<Exchange> all = new ArrayList<>();
        for (int i = 0; i < CAPACITY; i++) {
            all.add(waits(connection(), i, MessageQuery.queue(7)));
            assertThat(parks(all.get(i))).isTrue();
        }
        room.signal(Arrivals.queueKey(7));
        assertThat(again).containsExactly(all.get(0));
        assertThat(parks(waits(connection(), 99, MessageQuery.queue(7)))).isTrue();

        assertThat(parks(all.get(0))).isTrue();
    }

    @Test
    void shouldCallOneThatWasCalledInVainBeforeOthers() {
        List<Exchange> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(waits(connection(), i, MessageQuery.queue(7)));
            parks(all.get(i));
        }
        room.signal(Arrivals.queueKey(7));
        parks(all.get(0));
        parks(waits(connection(), 9, MessageQuery.queue(7)));

        assertThat(room.next(7, exchange -> true)).isSameAs(all.get(0));
        assertThat(room.next(7, exchange -> true)).isSameAs(all.get(1));
    }

    /** Each search looks through all messages, and any message may match. */
    @Test
    void shouldCallSearchesOneAtATimeHoweverManyMessagesArrive() throws Exception {
        WaitingRoom large = new WaitingRoom(Duration.ofHours(1), 1_024, again::add, answered::add);
        List<Exchange> searches = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            searches.add(waits(connection(), i, MessageQuery.queue(7).from(99)));
            large.look(searches.get(i));
            assertThat(large.park(searches.get(i))).isTrue();
        }
        for (int i = 0; i < 100; i++) {
            large.arrived(7, 0, 0);
        }
        assertThat(again).isEmpty();

        while (again.size() < 10) {
            int called = again.size();
            large.doWork();
            assertThat(again.size() - called).isLessThanOrEqualTo(1);
        }
        assertThat(again).containsExactlyElementsOf(searches);
    }

    @Test
    void shouldLetFewSearchesWait() {
        WaitingRoom large = new WaitingRoom(Duration.ofHours(1), 1_024, again::add, answered::add);
        ClientConnection greedy = connection();
        int parked = 0;
        Exchange refused = null;
        while (refused == null) {
            Exchange search = waits(greedy, 1, MessageQuery.queue(7).from(99));
            large.look(search);
            if (large.park(search)) {
                parked++;
            } else {
                refused = search;
            }
        }

        assertThat(parked).isEqualTo(1_024 / 64 / 2 + 1);
        assertThat(((Response.Failure) refused.response()).status()).isEqualTo(Status.OVERLOADED);
        Exchange other = waits(connection(), 2, MessageQuery.queue(7).from(99));
        large.look(other);
        assertThat(large.park(other)).isTrue();
    }

    @Test
    void shouldCallForAMessageToAClientThatClientAloneWhereverItWaits() {
        ClientConnection connection = connection();
        List<Exchange> mine = List.of(waits(connection, 1, MessageQuery.queue(7)),
                waits(connection, 1, MessageQuery.any().addressedToMe()), waits(connection, 1, MessageQuery.any()));
        mine.forEach(this::parks);
        parks(waits(connection(), 2, MessageQuery.queue(7)));

        room.arrived(7, 1, 0);

        assertThat(again).containsExactlyInAnyOrderElementsOf(mine);
        assertThat(room.size()).isEqualTo(1);
        assertThat(room.awaited()).containsExactlyInAnyOrder(Arrivals.queueKey(7), Arrivals.clientKey(2));
    }

    @Test
    void shouldExecuteAgainWhatLookedWhileAMessageForItArrived() {
        Exchange exchange = waits(connection(), 1, MessageQuery.queue(7));
        room.look(exchange);
        room.arrived(8, 1, 0);

        assertThat(room.park(exchange)).isTrue();

        assertThat(again).containsExactly(exchange);
        assertThat(room.size()).isZero();
        assertThat(room.awaited()).isEmpty();
    }

    @Test
    void shouldTakeOutTheFirstThatWaitsForAnyMessageOfTheQueue() {
        Exchange selective = waits(connection(), 1, MessageQuery.queue(5).from(9).waiting(60_000));
        Exchange byAge = waits(connection(), 2, MessageQuery.queue(6).oldestFirst().waiting(60_000));
        Exchange first = waits(connection(), 3, MessageQuery.queue(5).waiting(60_000));
        Exchange second = waits(connection(), 4, MessageQuery.queue(5).waiting(60_000));
        List.of(selective, byAge, first, second).forEach(exchange -> assertThat(parks(exchange)).isTrue());

        assertThat(room.next(5, exchange -> false)).isNull();
        assertThat(room.next(5, exchange -> true)).isSameAs(first);
        assertThat(room.next(5, exchange -> true)).isSameAs(second);
        assertThat(room.next(5, exchange -> true)).isNull();
        assertThat(room.next(6, exchange -> true)).as("for the oldest message").isNull();
        assertThat(room.size()).isEqualTo(2);
    }

    @Test
    void shouldForgetWhatWaitsOfAConnectionThatIsGone() {
        ClientConnection gone = connection();
        gone.session().registered("gone", 0, null, new ch.ethz.mlmq.storage.Storage.Session(1, 1));
        parks(waits(gone, 1, MessageQuery.queue(7)));
        Exchange stays = waits(connection(), 2, MessageQuery.queue(7));
        parks(stays);

        room.forget(gone);
        room.arrived(7, 0, 0);

        assertThat(again).containsExactly(stays);
    }

    private boolean parks(Exchange exchange) {
        room.look(exchange);
        return room.park(exchange);
    }

    private static ClientConnection connection() {
        return IdleLink.connection();
    }

    private static Exchange waits(ClientConnection connection, int client, MessageQuery query) {
        Exchange exchange = new Exchange(connection, 1, new Request.DequeueMessage(query.waiting(60_000)),
                Exchange.Size.of(1), new Stages(false, System.nanoTime(), 0));
        exchange.call().from(client);
        return exchange;
    }
}
