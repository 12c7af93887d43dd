package ch.ethz.mlmq.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.TlsConfig;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.scram.Scram;
import ch.ethz.mlmq.protocol.scram.ScramClient;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A broker whose clients are users. */
class AuthenticationContractTest {
    private static final int PATIENT_MILLIS = 20_000;
    private static final String PASSWORD = "correct horse";
    private static final Map<String, String> SCRAM = Map.of("broker.auth", "scram");

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private static TestCertificates certificates;

    @BeforeAll
    static void makeUsersAndCertificates(@TempDir Path folder) throws Exception {
        certificates = new TestCertificates(folder);
        certificates.sign("broker", "IP:127.0.0.1");
        certificates.sign("alice", "DNS:client.example");
        certificates.sign("nobody", "DNS:client.example");
        BROKERS.address(StorageKind.POSTGRESQL);
        users().add("alice", ScramVerifier.of(PASSWORD));
        users().add("bob", ScramVerifier.of(PASSWORD));
        users().execute("grant send, receive, manage on queue '%' to everybody");
    }

    private static AccountScript users() {
        return new AccountScript(BROKERS.database().address());
    }

    @Test
    void shouldLetAUserInWithItsPassword() {
        String address = start(SCRAM);
        try (Client client = connect(address, "alice")) {
            client.register(BROKERS.name("client"));
            int queue = BROKERS.queue(client);
            client.sendMessage(queue, new byte[] {7}, 5);

            assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isPresent();
        }
    }

    @Test
    void shouldAnswerAWrongPasswordAndAnUnknownUserAlike() throws Exception {
        String address = start(SCRAM);
        users().add("by-certificate", null);
        for (Credentials wrong : List.of(Credentials.of("alice", "wrong"), Credentials.of("nobody", PASSWORD),
                Credentials.of("by-certificate", PASSWORD), Credentials.of("no user, at all", PASSWORD))) {
            assertThatThrownBy(() -> Client.connect(config(address, wrong, null)))
                    .isInstanceOf(MlmqException.NotConnected.class).hasMessageContaining("user or password is wrong");
        }
        Response.Challenge first = challenge(address, "nobody");
        Response.Challenge again = challenge(address, "nobody");
        assertThat(salt(first)).isEqualTo(salt(again)).isNotEqualTo(salt(challenge(address, "nobody else")))
                .hasSameSizeAs(salt(challenge(address, "alice")));
    }

    @Test
    void shouldKeepTheNameOfAnAnonymousClientThatIsOnlineFromUsers() throws Exception {
        String open = start(Map.of());
        String address = start(SCRAM);
        String name = BROKERS.name("legacy");
        try (Client legacy = Client.connect(open); Client bob = connect(address, "bob")) {
            legacy.register(name);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> bob.register(name)).isInstanceOf(MlmqException.ClientAlreadyOnline.class);
            }
            assertThat(legacy.echo(new byte[] {1})).as("its session").containsExactly(1);
        }
        BROKERS.until("it is free", () -> {
            try (Client alice = connect(address, "alice")) {
                alice.register(name);
                return true;
            } catch (MlmqException.ClientAlreadyOnline e) {
                return false;
            }
        });
    }

    private static Response.Challenge challenge(String address, String user) throws Exception {
        try (RawClient client = new RawClient(address)) {
            client.hello(Features.ALL);
            return (Response.Challenge) client.ask(begin(new ScramClient(user, null, false)));
        }
    }

    private static String salt(Response.Challenge challenge) {
        return new String(challenge.data(), UTF_8).split(",")[1];
    }

    @Test
    void shouldLetStrangersDoNothing() throws Exception {
        String address = start(SCRAM);
        for (Request request : List.of(new Request.Register("alice"), new Request.BrokerStatus(),
                new Request.Echo(new byte[1]), new Request.CreateQueue("q"), new Request.LookupQueue("q"),
                new Request.DequeueMessage(MessageQuery.any()), new Request.Cancel(1))) {
            try (RawClient client = new RawClient(address)) {
                client.hello(Features.ALL);
                assertThat(status(client.ask(request))).as("%s", request).isEqualTo(Status.NOT_AUTHENTICATED);
            }
        }
        try (RawClient client = new RawClient(address)) {
            client.send(new Request.Register("alice"));
            client.send(new Request.Echo(new byte[1 << 15]));
            assertThat(status(client.read())).isEqualTo(Status.NOT_AUTHENTICATED);
            assertThat(status(client.read())).as("a long frame").isEqualTo(Status.PROTOCOL_ERROR);
        }
    }

    @Test
    void shouldTellStrangersThatItIsFullAndNothingElse() throws Exception {
        String address = start(with("broker.maxclients", "1"));
        try (RawClient only = new RawClient(address); RawClient client = new RawClient(address)) {
            only.hello(Features.ALL);
            client.hello(Features.ALL);
            assertThat(status(client.ask(new Request.BrokerStatus()))).isEqualTo(Status.NOT_AUTHENTICATED);
            assertThat(status(client.ask(begin(new ScramClient("alice", null, false)))))
                    .isEqualTo(Status.BROKER_FULL);
        }
    }

    @Test
    void shouldSendAwayStrangersThatKeepTheirPlaceByRequests() throws Exception {
        String address = start(with("broker.connection.register.timeout", "300ms"));
        try (RawClient client = new RawClient(address)) {
            client.hello(Features.ALL);
            BROKERS.until("it is sent away", () -> {
                client.send(new Request.KeepAlive());
                return status(client.read()) == Status.CONNECTION_CLOSED;
            });
        }
    }

    /** Its requests are so many that the broker stops reading them before the time is over. */
    @Test
    void shouldSendAwayAStrangerThatReadsNothing() throws Exception {
        Map<String, String> settings = new HashMap<>(SCRAM);
        settings.putAll(Map.of("broker.connection.register.timeout", "3s", "broker.connection.write.timeout", "1h",
                "broker.connection.outbound.max", "4096"));
        String address = start(settings);
        try (RawClient client = new RawClient(address, "127.0.0.1", 4_096)) {
            client.hello(Features.ALL);
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    client.send(echoes(2_000_000));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            BROKERS.until("it is sent away", () -> BROKERS.sentAway(address) == 1);
            assertThat(sending).as("the broker has stopped reading").isNotCompleted();
            BROKERS.until("it is closed", () -> BROKERS.gauge(address, "clients") == 0);
            assertThatThrownBy(sending::join).hasCauseInstanceOf(UncheckedIOException.class);
        }
    }

    private static byte[] echoes(int number) {
        ByteBuffer frames = ByteBuffer.allocate(number * 17);
        for (int id = 1; id <= number; id++) {
            frames.putInt(13).putInt(20).putInt(id).putInt(1).put((byte) 0);
        }
        return frames.array();
    }

    @Test
    void shouldAcceptAProofOnce() throws Exception {
        String address = start(SCRAM);
        ScramClient scram = new ScramClient("alice", null, false);
        byte[] proof;
        try (RawClient client = new RawClient(address)) {
            client.hello(Features.ALL);
            proof = scram.end(scram.work(((Response.Challenge) client.ask(begin(scram))).data()).of(PASSWORD));
            assertThat(client.ask(new Request.Authenticate("", proof))).isInstanceOfSatisfying(
                    Response.Challenge.class, last -> assertThat(last.complete()).isTrue());
            assertThat(status(client.ask(begin(scram)))).as("twice").isEqualTo(Status.NOT_AUTHENTICATED);
        }
        try (RawClient client = new RawClient(address)) {
            client.hello(Features.ALL);
            client.ask(begin(scram));
            assertThat(status(client.ask(new Request.Authenticate("", proof)))).isEqualTo(Status.NOT_AUTHENTICATED);
            assertThat(client.isClosed()).isTrue();
        }
    }

    private static Request begin(ScramClient scram) {
        return new Request.Authenticate(scram.mechanism(), scram.begin());
    }

    @Test
    void shouldOutliveSignInsThatAreNone() throws Exception {
        String address = start(SCRAM);
        try (Client familiar = connect(address, "alice")) {
            assertThat(familiar.echo(new byte[] {1})).containsExactly(1);
        }
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            try (RawClient client = new RawClient(address)) {
                client.hello(Features.ALL);
                byte[] message = i % 3 == 0 ? new byte[random.nextInt(4_000)]
                        : "n,,n=alice,r=abcdefgh".getBytes(UTF_8).clone();
                for (int change = 0; change < 1 + message.length / 8; change++) {
                    if (message.length > 0) {
                        message[random.nextInt(message.length)] = (byte) random.nextInt(256);
                    }
                }
                Response response = client.ask(new Request.Authenticate(
                        i % 5 == 0 ? "PLAIN" : Scram.MECHANISM, message));
                if (response instanceof Response.Failure failure) {
                    assertThat(failure.status()).isEqualTo(Status.NOT_AUTHENTICATED);
                    assertThat(client.isClosed()).isTrue();
                }
            }
        }
        try (RawClient client = new RawClient(address)) {
            ByteBuffer half = ByteBuffer.allocate(12).putInt(1_000).putInt(32).putInt(1);
            client.send(half.array());
        }
        try (Client familiar = connect(address, "alice")) {
            assertThat(familiar.echo(new byte[] {1})).containsExactly(1);
        }
        BROKERS.until("the others have gone", () -> BROKERS.gauge(address, "clients") == 0);
    }

    @Test
    void shouldRefuseWhoTriesTooOftenButNoUserThatWasHereBefore() {
        String address = start(SCRAM);
        connect(address, "alice").close();
        // A client may try once more before it is closed, so fewer clients than the limit of ten can do.
        int clients = 0;
        String why;
        do {
            why = catchThrowable(() -> Client.connect(config(address, Credentials.of("bob", "wrong"), null)))
                    .getMessage();
            clients++;
        } while (why.contains("is wrong"));

        assertThat(clients).isBetween(2, 11);
        assertThatThrownBy(() -> connect(address, "bob")).hasMessageContaining("too many sign-ins have failed");
        connect(address, "alice").close();
    }

    @Test
    void shouldLetAUserInThatWasNeverHereWhileOthersGuessItsPassword() throws Exception {
        String address = start(SCRAM);
        String why;
        do {
            why = catchThrowable(() -> Client.connect(config(address, Credentials.of("alice", "wrong"), null)))
                    .getMessage();
        } while (why.contains("is wrong"));
        assertThat(why).contains("too many");

        try (RawClient alice = signedIn(address, "127.0.0.2")) {
            assertThat(alice.register(BROKERS.name("elsewhere"))).isNotNull();
        }
    }

    @Test
    void shouldReserveTheNameOfAnAnonymousClient() throws Exception {
        String name = BROKERS.name("legacy");
        try (Client legacy = Client.connect(start(Map.of()))) {
            legacy.register(name);
        }
        users().execute("reserve client '" + name + "' for alice");
        String address = start(SCRAM);

        try (Client alice = connect(address, "alice"); Client bob = connect(address, "bob")) {
            assertThatThrownBy(() -> bob.register(name)).isInstanceOf(MlmqException.NotPermitted.class);
            alice.register(name);
        }
    }

    @Test
    void shouldBindTheProofToTheCertificateOfTheConnection() throws Exception {
        String address = start(tls(SCRAM));
        TlsConfig tls = trusting();
        for (String session : List.of("new", "resumed", "resumed again")) {
            try (Client client = Client.connect(config(address, Credentials.of("alice", PASSWORD), tls))) {
                assertThat(client.broker().orElseThrow().mechanisms()).as(session)
                        .isEqualTo("SCRAM-SHA-256-PLUS SCRAM-SHA-256");
                assertThat(client.echo(new byte[] {1})).containsExactly(1);
            }
        }
        try (TlsRelay between = new TlsRelay(certificates, "alice", address)) {
            assertThatThrownBy(() -> Client.connect(config(between.address(), Credentials.of("alice", PASSWORD),
                    trusting().withoutHostVerification()))).hasMessageContaining("channel binding");
        }
    }

    @Test
    void shouldKnowUsersByTheirCertificates() {
        String address = start(tls(Map.of("broker.auth", "certificate", "broker.tls.clients", "require",
                "broker.tls.authorities", certificates.authority().toString())));
        try (Client client = Client.connect(config(address, null, showing("alice")))) {
            String name = BROKERS.name("certified");
            client.register(name);
            try (Client other = connect(start(SCRAM), "bob")) {
                assertThatThrownBy(() -> other.register(name)).isInstanceOf(MlmqException.NotPermitted.class);
            }
        }
        try (Client client = Client.connect(config(address, null, showing("nobody")))) {
            assertThatThrownBy(() -> client.register(BROKERS.name("certified")))
                    .isInstanceOf(MlmqException.NotAuthenticated.class).hasMessageContaining("certificate");
        }
    }

    @Test
    void shouldGiveANameToItsUserAloneWhoeverIsOnline() throws Exception {
        String first = start(SCRAM);
        String second = start(SCRAM);
        String name = BROKERS.name("owned");
        int id;
        try (Client alice = connect(first, "alice"); Client bob = connect(first, "bob");
                Client farBob = connect(second, "bob")) {
            id = alice.register(name).client();
            assertThatThrownBy(() -> bob.register(name)).isInstanceOf(MlmqException.class);
            assertThatThrownBy(() -> farBob.register(name)).isInstanceOf(MlmqException.NotPermitted.class);
            assertThat(alice.echo(new byte[] {1})).containsExactly(1);
        }
        try (Client alice = connect(second, "alice"); Client bob = connect(first, "bob")) {
            assertThatThrownBy(() -> bob.register(name)).isInstanceOf(MlmqException.NotPermitted.class);
            assertThat(alice.register(name).client()).isEqualTo(id);
        }
    }

    @Test
    void shouldLetAUserTakeItsNameOverFromADeadConnection() throws Exception {
        String first = start(SCRAM);
        String second = start(SCRAM);
        String name = BROKERS.name("taken");
        try (RawClient dead = signedIn(first)) {
            Response.Registered registered = dead.register(name);
            try (Client alice = connect(first, "alice")) {
                assertThat(alice.register(name).client()).isEqualTo(registered.client());
                assertThat(dead.read()).isInstanceOfSatisfying(Response.Failure.class,
                        failure -> assertThat(failure.status()).isEqualTo(Status.CONNECTION_CLOSED));
                try (RawClient loser = signedIn(first)) {
                    assertThat(status(loser.ask(new Request.Register(name, registered.token()))))
                            .as("the connection that lost the name").isEqualTo(Status.CLIENT_ALREADY_ONLINE);
                }
                try (Client elsewhere = connect(second, "alice")) {
                    BROKERS.until("it has the name", () -> hasRegistered(elsewhere, name));
                }
            }
        }
    }

    private static boolean hasRegistered(Client client, String name) {
        try {
            client.register(name);
            return true;
        } catch (MlmqException.ClientAlreadyOnline e) {
            return false;
        }
    }

    private static RawClient signedIn(String address) throws Exception {
        return signedIn(address, "127.0.0.1");
    }

    private static RawClient signedIn(String address, String from) throws Exception {
        RawClient client = new RawClient(address, from, 0);
        client.hello(Features.ALL & ~Features.KEEP_ALIVE);
        ScramClient scram = new ScramClient("alice", null, false);
        byte[] challenge = ((Response.Challenge) client.ask(begin(scram))).data();
        client.ask(new Request.Authenticate("", scram.end(scram.work(challenge).of(PASSWORD))));
        return client;
    }

    @Test
    void shouldCloseConnectionsOfAUserThatIsRemoved() throws Exception {
        users().add("carol", ScramVerifier.of(PASSWORD));
        String address = start(SCRAM);
        try (ClientLoop loop = ClientLoop.start("carol")) {
            AsyncClient carol = AsyncClient.open(loop, config(address, Credentials.of("carol", PASSWORD), null));
            carol.whenConnected().get(PATIENT_MILLIS, TimeUnit.MILLISECONDS);
            carol.register(BROKERS.name("carol")).get(PATIENT_MILLIS, TimeUnit.MILLISECONDS);

            users().execute("drop user carol");

            BROKERS.until("she is sent away", () -> BROKERS.sentAway(address) == 1);
            BROKERS.until("she is told", () -> carol.stateReason().contains("user or password is wrong"));
        }
    }

    @Test
    void shouldCloseConnectionsOfAUserThatIsRemovedAndAddedAgainAtOnce() throws Exception {
        users().add("erin", ScramVerifier.of(PASSWORD));
        String address = start(SCRAM);
        try (Client erin = connect(address, "erin")) {
            erin.register(BROKERS.name("erin"));

            BROKERS.database().execute("BEGIN; DELETE FROM account WHERE name = 'erin'; INSERT INTO account "
                    + "(name, verifier) VALUES ('erin', '" + ScramVerifier.of(PASSWORD).text() + "'); COMMIT");

            BROKERS.until("she is sent away", () -> BROKERS.sentAway(address) == 1);
        }
    }

    @Test
    void shouldUseAChangedPassword() throws Exception {
        users().add("dave", ScramVerifier.of(PASSWORD));
        String address = start(SCRAM);
        users().execute("alter user dave password '" + ScramVerifier.of("battery staple").text() + "'");

        BROKERS.until("the new password is in force", () -> {
            try (Client dave = Client.connect(config(address, Credentials.of("dave", "battery staple"), null))) {
                return dave.echo(new byte[] {1}).length == 1;
            } catch (MlmqException.NotConnected e) {
                return false;
            }
        });
        assertThatThrownBy(() -> connect(address, "dave")).hasMessageContaining("is wrong");
    }

    @Test
    void shouldTellThatOnlyOneSideKnowsUsers() {
        assertThatThrownBy(() -> Client.connect(config(start(SCRAM), null, null)))
                .isInstanceOf(MlmqException.NotConnected.class).hasMessageContaining("asks for a user");
        assertThatThrownBy(() -> connect(BROKERS.address(StorageKind.POSTGRESQL), "alice"))
                .isInstanceOf(MlmqException.NotConnected.class).hasMessageContaining("asks for no password");
    }

    @Test
    void shouldRefuseSettingsThatContradictEachOther() {
        assertThatThrownBy(() -> BROKERS.start(StorageKind.MEMORY, SCRAM))
                .hasCauseInstanceOf(ConfigurationException.class).hasStackTraceContaining("broker.storage=postgresql");
        assertThatThrownBy(() -> start(Map.of("broker.auth", "certificate")))
                .hasStackTraceContaining("broker.tls.clients=require");
        Map<String, String> everywhere = Map.of("broker.storage", "memory");
        assertThatThrownBy(() -> BROKERS.startOn("0.0.0.0", everywhere))
                .hasCauseInstanceOf(ConfigurationException.class).hasStackTraceContaining("broker.anonymous=anywhere");
        BROKERS.startOn("0.0.0.0", Map.of("broker.storage", "memory", "broker.anonymous", "anywhere"));
    }

    @Test
    void shouldShowNoPassword(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("password"), PASSWORD + "\nand more\n");
        Credentials credentials = Credentials.of("alice", file);

        assertThat(credentials).hasToString("user alice");
        assertThat(config("127.0.0.1:1", credentials, null).toString()).contains("user alice")
                .doesNotContain(PASSWORD);
        byte[] secret = PASSWORD.getBytes(UTF_8);
        assertThat(new Request.Authenticate(Scram.MECHANISM, secret).toString()).doesNotContain(PASSWORD);
        assertThat(new Response.Challenge(true, secret).toString()).doesNotContain(PASSWORD);
        try (Client client = Client.connect(config(start(SCRAM), credentials, null))) {
            assertThat(client.echo(new byte[] {1})).containsExactly(1);
        }
    }

    private static Status status(Response response) {
        return response instanceof Response.Failure failure ? failure.status() : Status.OK;
    }

    private static String start(Map<String, String> settings) {
        return BROKERS.start(StorageKind.POSTGRESQL, settings);
    }

    private static Map<String, String> with(String key, String value) {
        Map<String, String> settings = new HashMap<>(SCRAM);
        settings.put(key, value);
        return settings;
    }

    private static Map<String, String> tls(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("broker.tls.certificate", certificates.certificate("broker").toString());
        settings.put("broker.tls.key", certificates.key("broker").toString());
        return settings;
    }

    private static TlsConfig trusting() {
        return TlsConfig.trusting(certificates.authority());
    }

    private static TlsConfig showing(String name) {
        return TlsConfig.of(certificates.authority(), certificates.certificate(name), certificates.key(name));
    }

    private static Client connect(String address, String user) {
        return Client.connect(config(address, Credentials.of(user, PASSWORD), null));
    }

    private static ClientConfig config(String address, Credentials credentials, TlsConfig tls) {
        return ClientConfig.builder().brokers(BrokerAddress.parseList(address)).connectTimeoutMillis(PATIENT_MILLIS)
                .requestTimeoutMillis(PATIENT_MILLIS).backoffMillis(10, 200).credentials(credentials).tls(tls).build();
    }
}
