package ch.ethz.mlmq.storage.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrantTest {
    @Test
    void shouldReadStatementsAndWriteThem() {
        for (String statement : List.of("grant send, receive, manage on queue 'orders.%' to app",
                "grant send on client '%' to everybody", "grant manage on broker to admin")) {
            assertThat(Grant.parse(statement).grant()).hasToString(statement);
        }
        assertThat(Grant.parse(" REVOKE  Receive,send ON queue a FROM app "))
                .isEqualTo(new AccessStatement.Change(false, new Grant("app", Grant.Kind.QUEUE, "a",
                        Right.SEND.bit() | Right.RECEIVE.bit())));
    }

    @Test
    void shouldSayWhatIsWrong() {
        for (String statement : List.of("", "grant", "grant send on queue 'a b' to app", "grant send on topic 'a' to b",
                "grant send on queue '' to app", "grant send on queue 'a to app", "grant send on queue a' to app",
                "grant send on queue 'a' to", "grant , on queue 'a' to app")) {
            assertThatThrownBy(() -> Grant.parse(statement)).as(statement).hasMessageContaining("write grant send");
        }
        assertThatThrownBy(() -> Grant.parse("grant send on queue 'a' from app")).hasMessageContaining("to a user");
        assertThatThrownBy(() -> Grant.parse("grant read on queue 'a' to app"))
                .hasMessageContaining("send, receive, manage");
        assertThatThrownBy(() -> Grant.parse("grant receive on client 'a' to app"))
                .hasMessageContaining("the rights on a client are send");
    }

    @Test
    void shouldReadStatementsAboutUsersAndRoles() {
        assertThat(AccessStatement.parse("create user alice"))
                .isEqualTo(new AccessStatement.CreateUser("alice", null));
        String verifier = ScramVerifier.of("secret").text();
        assertThat(AccessStatement.parse("CREATE user alice PASSWORD '" + verifier + "'"))
                .isInstanceOfSatisfying(AccessStatement.CreateUser.class,
                        create -> assertThat(create.verifier().text()).isEqualTo(verifier));
        assertThat(AccessStatement.parse("create role readers"))
                .isEqualTo(new AccessStatement.CreateRole("readers"));
        assertThat(AccessStatement.parse(" drop  role readers "))
                .isEqualTo(new AccessStatement.Drop("readers", true));
        assertThat(AccessStatement.parse("grant readers to alice"))
                .isEqualTo(new AccessStatement.Membership(true, "readers", "alice"));
        assertThat(AccessStatement.parse("revoke readers from alice"))
                .isEqualTo(new AccessStatement.Membership(false, "readers", "alice"));
        assertThat(AccessStatement.parse("grant send on queue 'a' to readers"))
                .isInstanceOf(AccessStatement.Change.class);
        assertThat(AccessStatement.parse("reserve client 'worker-1' for alice"))
                .isEqualTo(new AccessStatement.Reserve("worker-1", "alice"));
        assertThat(AccessStatement.parse("list users")).isEqualTo(new AccessStatement.Show());

        for (String wrong : List.of("", "create", "create user", "create user 'a b'", "drop alice", "select 1",
                "create user alice password secret", "alter user alice", "reserve client a",
                "list users; drop user a")) {
            assertThatThrownBy(() -> AccessStatement.parse(wrong)).as(wrong).hasMessageContaining("create role NAME");
        }
        assertThatThrownBy(() -> AccessStatement.parse("create user alice password 'secret'"))
                .hasMessageContaining("verifier").hasMessageNotContaining("secret");
        assertThatThrownBy(() -> AccessStatement.parse("create role Everybody")).hasMessageContaining("all users");
        assertThatThrownBy(() -> AccessStatement.parse("create role a password '" + verifier + "'"))
                .hasMessageContaining("no password");
        assertThatThrownBy(() -> AccessStatement.parse("grant readers from alice")).hasMessageContaining("granted to");
    }

    @Test
    void shouldMatchNames() {
        assertMatches("%", "", "a", "a.b");
        assertMatches("orders.%", "orders.", "orders.eu", "orders.eu.dead");
        assertMatches("%.dead", ".dead", "a.dead");
        assertMatches("a%b%c", "abc", "a1b2c", "abbcc", "abcbc");
        assertMatches("a_b", "a_b");
        assertMatches("%%", "", "a");
        assertNone("orders.%", "order", "orders", "xorders.eu", "Orders.eu");
        assertNone("a%b%c", "ac", "ab", "acb", "abcd");
        assertNone("a_b", "axb");
        assertNone("ab%ba", "aba", "ab");
    }

    private static void assertMatches(String pattern, String... names) {
        for (String name : names) {
            assertThat(grant(pattern).matches(Grant.Kind.QUEUE, name)).as(pattern + " " + name).isTrue();
            assertThat(grant(pattern).matches(Grant.Kind.CLIENT, name)).isFalse();
        }
    }

    private static void assertNone(String pattern, String... names) {
        for (String name : names) {
            assertThat(grant(pattern).matches(Grant.Kind.QUEUE, name)).as(pattern + " " + name).isFalse();
        }
    }

    private static Grant grant(String pattern) {
        return new Grant("app", Grant.Kind.QUEUE, pattern, 1);
    }
}
