package ch.ethz.mlmq.broker.access;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.access.Account;
import ch.ethz.mlmq.storage.access.AccountDirectory;
import ch.ethz.mlmq.storage.access.Accounts;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PermissionsTest {
    private static final AccountDirectory USERS = new AccountDirectory(new byte[32],
            Map.of("app", new Account("app", 1, null)), Map.of(), Set.of(), List.of(), Map.of());
    private static final int MISSING = 5;

    private int looks;

    /** A storage in which no queue and no client exists. */
    private final Storage empty = (Storage) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("accounts")) {
                    return accounts();
                }
                assertThat(method.getName()).isEqualTo("owned");
                looks++;
                return null;
            });

    private static Accounts accounts() {
        return (Accounts) Proxy.newProxyInstance(PermissionsTest.class.getClassLoader(),
                new Class<?>[] {Accounts.class},
                (proxy, method, arguments) -> method.getName().equals("isStale") ? (Object) false : USERS);
    }

    /** Otherwise a request could be executed in an object of that id which another user makes meanwhile. */
    @Test
    void shouldNotPassARequestOnForAnObjectThatDoesNotExist() {
        assertThat(answer(new Request.DequeueMessage(MessageQuery.queue(MISSING))))
                .isEqualTo(Status.QUEUE_DOES_NOT_EXIST);
        assertThat(answer(new Request.SendMessageToClient(MISSING, 1, new byte[1])))
                .isEqualTo(Status.CLIENT_DOES_NOT_EXIST);
    }

    @Test
    void shouldLookForOneMissingQueueOfASendAtMost() {
        assertThat(answer(new Request.SendMessage(new int[] {MISSING, 6, 7, 8}, 0, 1, 0, "", new byte[1])))
                .isEqualTo(Status.QUEUE_DOES_NOT_EXIST);
        assertThat(looks).isEqualTo(1);
    }

    private Status answer(Request request) {
        return ((Response.Failure) new Permissions(empty).answer("app", 1, request)).status();
    }
}
