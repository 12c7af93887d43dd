package ch.ethz.mlmq.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The client in Python, which knows only the page of the protocol. */
class PythonClientTest {
    /** Both are the same password, as RFC 4013 says. */
    private static final String PASSWORD = "I\u00adX horses";
    private static final String AS_TYPED = "\u2168\u00a0horses";
    private static final String DONE = "[1, 0] {'id': 7, 'urgent': True}\nGr\u00fcezi first "
            + "{'id': 7, 'price': 1.5, 'urgent': True, 'place': 'Z\u00fcrich'} None\n";

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private static TestCertificates certificates;

    @BeforeAll
    static void makeUser(@TempDir Path folder) throws Exception {
        certificates = new TestCertificates(folder);
        certificates.sign("broker", "IP:127.0.0.1");
        BROKERS.address(StorageKind.POSTGRESQL);
        AccountScript users = new AccountScript(BROKERS.database().address());
        users.add("alice", ScramVerifier.of(PASSWORD));
        users.execute("grant send, receive, manage on queue 'python-%' to alice");
    }

    @Test
    void shouldSendAndTakeMessages() throws Exception {
        assertThat(run(BROKERS.address(StorageKind.MEMORY), "")).isEqualTo(DONE);
    }

    @Test
    void shouldSignInWithAndWithoutTls() throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of("broker.auth", "scram"));
        assertThat(run(BROKERS.start(StorageKind.POSTGRESQL, settings), "alice")).isEqualTo(DONE);

        settings.put("broker.tls.certificate", certificates.certificate("broker").toString());
        settings.put("broker.tls.key", certificates.key("broker").toString());
        String address = BROKERS.start(StorageKind.POSTGRESQL, settings);
        assertThat(run(address, "alice", certificates.authority().toString())).isEqualTo(DONE);
        assertThat(run(address, "bob", certificates.authority().toString())).contains("user or password is wrong");
    }

    private static String run(String address, String user, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of("python3", "round_trip.py"));
        command.addAll(List.of(address.split(":")));
        command.add(user);
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder()).redirectErrorStream(true);
        builder.environment().putAll(Map.of("MLMQ_PASSWORD", AS_TYPED, "PYTHONIOENCODING", "utf-8",
                "PYTHONUTF8", "1", "PYTHONDONTWRITEBYTECODE", "1"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
    }

    private static File folder() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("examples/clients/python"))) {
            root = root.getParent();
        }
        return root.resolve("examples/clients/python").toFile();
    }
}
