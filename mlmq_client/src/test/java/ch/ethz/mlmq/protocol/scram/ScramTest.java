package ch.ethz.mlmq.protocol.scram;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScramTest {
    private static final String CLIENT_NONCE = "rOprNGfwEbeRWgbNEkqO";
    private static final String SERVER_NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    private static final byte[] SALT = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
    private static final ScramVerifier PENCIL = ScramVerifier.of("pencil", SALT, 4_096);
    private static final byte[] BINDING = {1, 2, 3};

    /** The example in section 3 of RFC 7677. */
    @Test
    void shouldSpeakAsTheExampleOfTheStandard() throws Exception {
        ScramClient client = new ScramClient("user", null, false, CLIENT_NONCE);
        ScramServer server = new ScramServer(Scram.MECHANISM, null, SERVER_NONCE);

        assertThat(text(client.begin())).isEqualTo("n,,n=user,r=" + CLIENT_NONCE);
        byte[] challenge = server.begin(client.begin(), name -> PENCIL);
        assertThat(text(challenge)).isEqualTo("r=" + CLIENT_NONCE + SERVER_NONCE
                + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
        byte[] last = client.end(client.work(challenge).of("pencil"));
        assertThat(text(last)).isEqualTo("c=biws,r=" + CLIENT_NONCE + SERVER_NONCE
                + ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        byte[] proof = server.end(last);
        assertThat(text(proof)).isEqualTo("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
        client.check(proof);
        assertThat(server.name()).isEqualTo("user");
    }

    @Test
    void shouldKeepPasswordsInTheFormOfPostgresql() {
        assertThat(PENCIL.text()).isEqualTo("SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$"
                + "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=");
        assertThat(ScramVerifier.parse(PENCIL.text()).text()).isEqualTo(PENCIL.text());
        for (String text : List.of("", "md5abc", "SCRAM-SHA-256$0:AAAA$AAAA:AAAA", PENCIL.text() + " ",
                PENCIL.text().replace("$WG", "$"), PENCIL.text().replace("4096", "1"),
                PENCIL.text().replace("4096", "100001"))) {
            assertThatThrownBy(() -> ScramVerifier.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseAnotherPassword() throws Exception {
        assertThat(signIn("Pencil", PENCIL)).isNull();
        assertThat(signIn("pencil", PENCIL)).isNotNull();
    }

    @Test
    void shouldRefuseEveryPasswordOfANameThatDoesNotExist() throws Exception {
        byte[] secret = {7};

        assertThat(signIn("pencil", ScramVerifier.ofNobody(secret, "user"))).isNull();
        assertThat(ScramVerifier.ofNobody(secret, "user").challenge())
                .isEqualTo(ScramVerifier.ofNobody(secret, "user").challenge())
                .isNotEqualTo(ScramVerifier.ofNobody(secret, "other").challenge())
                .hasSameSizeAs(PENCIL.challenge()).endsWith(",i=4096");
    }

    private static byte[] signIn(String password, ScramVerifier verifier) throws ScramException {
        ScramClient client = new ScramClient("user", BINDING, true);
        ScramServer server = new ScramServer(client.mechanism(), BINDING);
        return server.end(client.end(client.work(server.begin(client.begin(), name -> verifier)).of(password)));
    }

    @Test
    void shouldAcceptAProofOnceAndOnItsConnectionOnly() throws Exception {
        ScramClient client = new ScramClient("user", BINDING, true);
        ScramServer server = new ScramServer(Scram.MECHANISM_PLUS, BINDING);
        byte[] last = client.end(client.work(server.begin(client.begin(), name -> PENCIL)).of("pencil"));
        assertThat(server.end(last)).isNotNull();

        ScramServer later = new ScramServer(Scram.MECHANISM_PLUS, BINDING);
        later.begin(client.begin(), name -> PENCIL);
        assertThatThrownBy(() -> later.end(last)).hasMessageContaining("nonce");

        ScramServer elsewhere = new ScramServer(Scram.MECHANISM_PLUS, new byte[] {4});
        byte[] relayed = client.end(client.work(elsewhere.begin(client.begin(), name -> PENCIL)).of("pencil"));
        assertThatThrownBy(() -> elsewhere.end(relayed)).hasMessageContaining("another connection");
    }

    @Test
    void shouldNoticeThatSomebodyRemovedTheOfferOfChannelBinding() {
        ScramClient deceived = new ScramClient("user", BINDING, false);
        ScramServer server = new ScramServer(deceived.mechanism(), BINDING);

        assertThat(text(deceived.begin())).startsWith("y,,");
        assertThatThrownBy(() -> server.begin(deceived.begin(), name -> PENCIL)).hasMessageContaining("was told");
    }

    @Test
    void shouldRefuseMessagesThatAreNotOfTheStandard() {
        for (String first : List.of("", "n", "n,", "n,,", "n,,n=user", "n,a=admin,n=user,r=x", "x,,n=user,r=x",
                "p=tls-unique,,n=user,r=x", "n,,m=1,n=user,r=x", "n,,n=us=er,r=x", "n,,n=,r=x", "n,,n=user,r=",
                "n,,n=user,r=\u0001", "n,,n=user\0,r=x", "n,,r=x,n=user", "n,,n=user,r=" + "x".repeat(3_000))) {
            assertThatThrownBy(() -> new ScramServer(Scram.MECHANISM, null).begin(first.getBytes(UTF_8),
                    name -> PENCIL)).as(first).isInstanceOf(ScramException.class);
        }
        for (String last : List.of("", "c=biws", "c=biws,r=xy", "c=biws,r=xy,p=", "c=biws,r=xy,p=AAAA",
                "c=eSws,r=xy,p=AAAA", "c=biws,p=AAAA", "c=biws,r=xz,p=AAAA", "c=biws,r=xy,p=%")) {
            assertThatThrownBy(() -> begun().end(last.getBytes(UTF_8))).as(last).isInstanceOf(ScramException.class);
        }
    }

    private static ScramServer begun() throws ScramException {
        ScramServer server = new ScramServer(Scram.MECHANISM, null, "y");
        server.begin("n,,n=user,r=x".getBytes(UTF_8), name -> PENCIL);
        return server;
    }

    @Test
    void shouldFailInOneWayWhateverBytesCome() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] message = (i % 2 == 0 ? "n,,n=user,r=abc" : "c=biws,r=xy,p=AAAA").getBytes(UTF_8);
            for (int change = random.nextInt(4); change >= 0; change--) {
                message[random.nextInt(message.length)] = (byte) random.nextInt(256);
            }
            try {
                if (i % 2 == 0) {
                    new ScramServer(Scram.MECHANISM, null).begin(message, name -> PENCIL);
                } else {
                    assertThat(begun().end(message)).isNull();
                }
            } catch (ScramException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void shouldNotTrustAServerThatDoesNotKnowTheUser() throws Exception {
        ScramClient client = new ScramClient("user", null, false);
        ScramServer server = new ScramServer(Scram.MECHANISM, null);
        client.end(client.work(server.begin(client.begin(), name -> PENCIL)).of("pencil"));

        assertThatThrownBy(() -> client.check("v=AAAA".getBytes(UTF_8))).hasMessageContaining("another program");
        assertThatThrownBy(() -> client.check("e=other-error".getBytes(UTF_8))).isInstanceOf(ScramException.class);
        for (String challenge : List.of("", "r=x,s=AAAA,i=4096", "r=" + CLIENT_NONCE + ",s=AAAA,i=4096",
                "r=" + CLIENT_NONCE + "x,s=,i=4096", "r=" + CLIENT_NONCE + "x,s=AAAA,i=0",
                "r=" + CLIENT_NONCE + "x,s=AAAA,i=4095", "r=" + CLIENT_NONCE + "x,s=AAAA,i=100001",
                "r=" + CLIENT_NONCE + "x,s=AAAA,i=9999999", "r=" + CLIENT_NONCE + "x,s=AAAA")) {
            assertThatThrownBy(() -> new ScramClient("user", null, false, CLIENT_NONCE)
                    .work(challenge.getBytes(UTF_8))).as(challenge).isInstanceOf(ScramException.class);
        }
    }

    /** The examples in section 3 of RFC 4013. */
    @Test
    void shouldPreparePasswords() {
        assertThat(SaslPrep.of("I\u00adX")).isEqualTo("IX");
        assertThat(SaslPrep.of("user")).isEqualTo("user");
        assertThat(SaslPrep.of("\u00aa")).isEqualTo("a");
        assertThat(SaslPrep.of("\u2168")).isEqualTo("IX");
        assertThat(SaslPrep.of("a\u00a0b")).isEqualTo("a b");
        assertThatThrownBy(() -> SaslPrep.of("\u0007")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ScramVerifier.of("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldMixNoDirectionsInAPassword() {
        assertThat(SaslPrep.of("\u05d0\u0661\u05d1")).isEqualTo("\u05d0\u0661\u05d1");
        assertThat(SaslPrep.of("\u0627 1!\u0628")).isEqualTo("\u0627 1!\u0628");
        for (String mixed : List.of("\u0627\u0031", "1\u0627", "\u0627a\u0628", "a\u05d0")) {
            assertThatThrownBy(() -> SaslPrep.of(mixed)).as(mixed).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("from right to left");
        }
    }

    @Test
    void shouldEscapeNames() throws Exception {
        ScramClient client = new ScramClient("a,b=c", null, false);
        ScramServer server = new ScramServer(Scram.MECHANISM, null);
        server.begin(client.begin(), name -> PENCIL);

        assertThat(server.name()).isEqualTo("a,b=c");
    }

    @Test
    void shouldShowNoKeys() {
        assertThat(PENCIL).hasToString("SCRAM-SHA-256 with 4096 iterations");
    }

    private static String text(byte[] message) {
        return new String(message, UTF_8);
    }
}
