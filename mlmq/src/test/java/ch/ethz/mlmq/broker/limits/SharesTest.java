package ch.ethz.mlmq.broker.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SharesTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldLimitConnectionsOfEachOwner() {
        Shares users = new Shares(new Quota("user", 2, 0, 0));
        Holdings first = new Holdings();
        assertThat(first.enter(users, "alice")).isNull();
        assertThat(new Holdings().enter(users, "alice")).isNull();

        assertThat(new Holdings().enter(users, "alice")).contains("user alice", "broker.user.connections=2");
        assertThat(new Holdings().enter(users, "bob")).isNull();
        first.leave();
        assertThat(new Holdings().enter(users, "alice")).isNull();
    }

    @Test
    void shouldHaveOnePlaceBeyondTheLimit() {
        Shares users = new Shares(new Quota("user", 1, 0, 0));
        Holdings first = new Holdings();
        assertThat(first.enterProvisionally(users, "alice")).isNull();
        assertThat(first.exceeded()).isNull();
        Holdings second = new Holdings();
        assertThat(second.enterProvisionally(users, "alice")).isNull();
        assertThat(second.exceeded()).contains("user alice", "broker.user.connections=1");
        assertThat(new Holdings().enterProvisionally(users, "alice")).isNotNull();

        first.leave();
        assertThat(second.exceeded()).isNull();
        assertThat(new Holdings().enterProvisionally(users, "alice")).isNull();
        assertThat(second.exceeded()).as("it came first").isNull();
    }

    @Test
    void shouldLetInWhoCameBeyondTheLimitAsSoonAsAPlaceIsFree() {
        Shares users = new Shares(new Quota("user", 1, 0, 0));
        Holdings first = new Holdings();
        assertThat(first.enterProvisionally(users, "alice")).isNull();
        Holdings second = new Holdings();
        assertThat(second.enterProvisionally(users, "alice")).isNull();
        first.leave();
        Holdings third = new Holdings();
        assertThat(third.enterProvisionally(users, "alice")).isNull();

        assertThat(second.exceeded()).as("the place of the first became its own").isNull();
        assertThat(third.exceeded()).isNotNull();
        third.leave();
        assertThat(third.exceeded()).as("it has left").isNull();
        assertThat(second.exceeded()).isNull();
    }

    @Test
    void shouldLimitRequestsOfASecondOverAllConnections() {
        Share share = new Share("alice", new Quota("user", 0, 0, 4), 0);
        for (int i = 0; i < 4; i++) {
            assertThat(share.obstacle(0)).isNull();
        }
        assertThat(share.obstacle(0)).contains("user alice", "broker.user.requests=4");
        assertThat(share.obstacle(SECOND / 4)).isNull();
        assertThat(share.obstacle(SECOND / 4)).isNotNull();
        for (int i = 0; i < 4; i++) {
            assertThat(share.obstacle(10 * SECOND)).as("no more than those of a second").isNull();
        }
        assertThat(share.obstacle(10 * SECOND)).isNotNull();
    }

    @Test
    void shouldCountBytesOfAllConnectionsAndForgetThoseOfClosedOnes() {
        Shares addresses = new Shares(new Quota("address", 0, 100, 0));
        Holdings one = new Holdings();
        one.hold(60);
        one.enter(addresses, "10.0.0.1");
        Holdings other = new Holdings();
        other.enter(addresses, "10.0.0.1");
        assertThat(other.obstacle(0)).isNull();
        other.hold(50);
        assertThat(one.obstacle(0)).contains("address 10.0.0.1", "broker.address.bytes=100");

        other.leave();
        assertThat(one.obstacle(0)).isNull();
        other.hold(-50);
        one.hold(41);
        assertThat(one.obstacle(0)).as("what a closed connection releases counts no more").isNotNull();
    }

    @Test
    void shouldKeepTheShareOfWhoComesBackAtOnce() {
        Shares users = new Shares(new Quota("user", 0, 0, 1));
        Holdings first = new Holdings();
        first.enter(users, "alice");
        assertThat(first.obstacle(System.nanoTime())).isNull();
        first.leave();
        Holdings again = new Holdings();
        again.enter(users, "alice");
        assertThat(again.obstacle(System.nanoTime() - SECOND / 2)).isNotNull();
    }

    @Test
    void shouldRememberABoundedNumberOfThoseThatLeft() {
        Shares addresses = new Shares(new Quota("address", 0, 0, 1));
        for (int i = 0; i < 10_000; i++) {
            Holdings guest = new Holdings();
            guest.enter(addresses, "guest " + i);
            guest.leave();
        }
        assertThat(addresses.size()).isLessThan(5_000);
    }
}
