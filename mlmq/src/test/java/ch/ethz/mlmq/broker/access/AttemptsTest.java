package ch.ethz.mlmq.broker.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static final String HOME = "10.0.0.1";
    private static final String AWAY = "10.0.0.2";

    private final Attempts attempts = new Attempts();

    @Test
    void shouldRefuseAUserAfterTenFailuresForAMinute() {
        fail("bob", AWAY, Attempts.MAX - 1);
        assertThat(attempts.isRefused("bob", AWAY, 0)).isFalse();
        fail("bob", AWAY, 1);

        assertThat(attempts.isRefused("bob", AWAY, 0)).isTrue();
        assertThat(attempts.isRefused("bob", AWAY, TimeUnit.MINUTES.toNanos(1) + 1)).isFalse();
        assertThat(attempts.isRefused("alice", AWAY, 0)).as("another user there").isFalse();
    }

    @Test
    void shouldLetAUserInThatHasNeverSignedInWhoeverGuessesElsewhere() {
        fail("bob", AWAY, 50);
        fail("bob at " + HOME, AWAY, 50);

        assertThat(attempts.isRefused("bob", HOME, 0)).isFalse();
        assertThat(attempts.isRefused("bob", AWAY, 0)).isTrue();
    }

    @Test
    void shouldRefuseAnAddressThatTriesManyUsersButNoUserThatHasSignedInThere() {
        attempts.succeeded("alice", AWAY);
        for (int user = 0; user < Attempts.MAX_OF_SITE; user++) {
            assertThat(attempts.isRefused("new", AWAY, 0)).isFalse();
            fail("user" + user, AWAY, 1);
        }

        assertThat(attempts.isRefused("new", AWAY, 0)).isTrue();
        assertThat(attempts.isRefused("new", HOME, 0)).isFalse();
        assertThat(attempts.isRefused("alice", AWAY, 0)).isFalse();
    }

    @Test
    void shouldCountTheAddressesOfAHostInIpv6Together() {
        fail("bob", "2001:db8:1:2:0:0:0:1", Attempts.MAX);

        assertThat(attempts.isRefused("bob", "2001:db8:1:2:ffff:0:0:9", 0)).isTrue();
        assertThat(attempts.isRefused("bob", "2001:db8:1:3:0:0:0:1", 0)).isFalse();
    }

    @Test
    void shouldRefuseASiteThatGuessesFromManyNetworksOfIpv6() {
        for (int network = 0; network < Attempts.MAX_OF_SITE; network++) {
            fail("bob", "2001:db8:1:" + Integer.toHexString(network) + "::1", 1);
        }

        assertThat(attempts.isRefused("bob", "2001:db8:1:ffff::1", 0)).isTrue();
        assertThat(attempts.isRefused("bob", "2001:db8:2::1", 0)).isFalse();
    }

    private void fail(String user, String address, int times) {
        for (int i = 0; i < times; i++) {
            attempts.failed(user, address, 0);
        }
    }
}
