package ch.ethz.mlmq.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.log.PeopleLog;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.scram.ScramClient;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever brokers and clients log, even at the finest level, has no password, no verifier and no proof. */
class SecretsTest {
    private static final int PATIENT_MILLIS = 20_000;
    private static final String PASSWORD = "correct-horse-battery";
    private static final String WRONG = "wrong-staple-battery";
    private static final Logger ALL = Logger.getLogger("ch.ethz.mlmq");

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @Test
    void shouldLogNoSecret() throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        StreamHandler handler = new StreamHandler(log, new PeopleLog.OneLine());
        handler.setLevel(Level.ALL);
        Level before = ALL.getLevel();
        ALL.setLevel(Level.ALL);
        ALL.addHandler(handler);
        String verifier = ScramVerifier.of(PASSWORD).text();
        String proof;
        try {
            BROKERS.address(StorageKind.POSTGRESQL);
            AccountScript users = new AccountScript(BROKERS.database().address());
            users.execute("create user alice password '" + verifier + "'");
            users.execute("grant manage on broker to alice");
            BROKERS.database().execute("INSERT INTO account (name, verifier) VALUES ('broken', 'SCRAM-SHA-256$x')");
            String address = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.auth", "scram"));
            try (Client alice = connect(address, PASSWORD)) {
                alice.execute("alter user alice password '" + verifier + "'");
                assertThat(catchThrowable(() -> alice.execute("create user bob password '" + WRONG + "'")))
                        .hasMessageNotContaining(WRONG);
            }
            assertThat(catchThrowable(() -> connect(address, WRONG))).hasMessageNotContaining(WRONG);
            proof = sendAProofTwice(address);
        } finally {
            ALL.removeHandler(handler);
            ALL.setLevel(before);
        }
        handler.close();

        assertThat(log.toString(UTF_8)).contains("user broken has no valid verifier").doesNotContain(PASSWORD, WRONG,
                verifier.substring(verifier.lastIndexOf('$')), "SCRAM-SHA-256$x", proof);
    }

    /** @return the proof */
    private static String sendAProofTwice(String address) throws Exception {
        try (RawClient client = new RawClient(address)) {
            client.hello(Features.ALL);
            ScramClient scram = new ScramClient("alice", null, false);
            Response.Challenge challenge = (Response.Challenge) client.ask(
                    new Request.Authenticate(scram.mechanism(), scram.begin()));
            byte[] end = scram.end(scram.work(challenge.data()).of(PASSWORD));
            client.ask(new Request.Authenticate("", end));
            client.ask(new Request.Authenticate("", end));
            String text = new String(end, UTF_8);
            return text.substring(text.indexOf(",p=") + 3);
        }
    }

    private static Client connect(String address, String password) {
        return Client.connect(ClientConfig.builder().brokers(BrokerAddress.parseList(address))
                .connectTimeoutMillis(PATIENT_MILLIS).requestTimeoutMillis(PATIENT_MILLIS).backoffMillis(10, 200)
                .credentials(Credentials.of("alice", password)).build());
    }
}
