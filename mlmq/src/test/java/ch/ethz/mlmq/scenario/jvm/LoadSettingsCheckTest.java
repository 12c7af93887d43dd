package ch.ethz.mlmq.scenario.jvm;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class LoadSettingsCheckTest {
    @Test
    void shouldAcceptTheDefaults() {
        assertThatCode(() -> check("Mix#127.0.0.1")).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseARateThatIsNone() {
        assertRefused("Mix#127.0.0.1", "client.rate", "0/s").hasMessageContaining("a rate must be over 0");
        assertRefused("Mix#127.0.0.1", "client.rate", "-5/s").hasMessageContaining("must be a rate such as 100/s");
    }

    @Test
    void shouldAcceptPartsOfALoad() {
        assertThatCode(() -> check("Mix#127.0.0.1", "client.rate", "5/s", "client.duration", "90s",
                "client.load", "before: 60s; spike: 30s 100/s")).doesNotThrowAnyException();
        assertThatCode(() -> check("Mix#127.0.0.1", "client.duration", "90s",
                "client.load", "before: 60s; outage: 30s paused")).doesNotThrowAnyException();
    }

    @Test
    void shouldRefusePartsOfALoadThatItCannotFollow() {
        assertRefused("Mix#127.0.0.1", "client.load", "before: 60s; after: 30s")
                .hasMessage("client.load has 90000 ms in all, and client.duration must be as long");
        assertRefused("Mix#127.0.0.1", "client.load", "spike: 60s 100/s")
                .hasMessageContaining("client.rate must be one rate such as 100/s");
        assertRefused("Mix#127.0.0.1", "client.load", "spike: 60s 100/s", "client.rate", "5/s for 1s, 6/s")
                .hasMessageContaining("client.rate must be one rate such as 100/s");
        assertRefused("Mix#127.0.0.1", "client.load", "all: 60s", "client.steps", "+1 every 1s up to 20")
                .hasMessageContaining("cannot be combined with client.steps");
        assertRefused("Mix#127.0.0.1", "client.load", "a: 30s; a: 30s").hasMessageContaining("a name of its own");
    }

    @Test
    void shouldRefuseAnOffsetOfTheClockThatIsNoNumber() {
        for (String offset : new String[] {"soon", "NaN", "1e13"}) {
            System.setProperty("mlmq.clock.offset", offset);
            try {
                assertRefused("Mix#127.0.0.1").hasMessageContaining("-Dmlmq.clock.offset=" + offset + " must be");
            } finally {
                System.clearProperty("mlmq.clock.offset");
            }
        }
    }

    @Test
    void shouldRefuseAnUnknownScenario() {
        assertRefused("Mxi#127.0.0.1").hasMessage("unknown scenario Mxi; did you mean Mix?");
    }

    @Test
    void shouldRefuseAStartInThePast() {
        assertRefused("Mix#127.0.0.1", "client.start.at", "1000")
                .hasMessageContaining("client.start.at=1000").hasMessageContaining("must be in the future");
    }

    @Test
    void shouldRefuseMessagesOfASizeThatCannotBe() {
        assertRefused("Mix#127.0.0.1", "client.message.size", "9").hasMessageContaining("must be 10..1048576 bytes");
        assertRefused("Mix#127.0.0.1", "client.message.size", "1048577")
                .hasMessageContaining("must be 10..1048576 bytes");
        assertRefused("OneWayClient#127.0.0.1", "client.clients", "2", "client.message.size", "10")
                .hasMessageContaining("at least 14 bytes for OneWayClient");
    }

    @Test
    void shouldRefuseAOneWayClientAllByItself() {
        assertRefused("OneWayClient#127.0.0.1", "client.clients", "1")
                .hasMessageContaining("needs another client of its kind");
        assertThatCode(() -> check("OneWayClient#127.0.0.1,127.0.0.1", "client.clients", "1"))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseAPairedClientWhosePartnerIsMissing() {
        assertRefused("PairedClient#127.0.0.1", "client.clients", "3").hasMessageContaining("must be even");
        assertThatCode(() -> check("PairedClient#127.0.0.1,127.0.0.1", "client.clients", "3"))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseOwnMessagesWhereClientsDoNotBothSendAndReceive() {
        for (String scenario : new String[] {"Worker", "Alice", "Bob", "Tola", "Maruja", "Echo", "Only#sendMessage"}) {
            assertRefused(scenario + "#127.0.0.1,127.0.0.1", "client.pairing", "own")
                    .hasMessage("client.pairing=own needs clients that both send and receive, and those of "
                            + scenario + " do not; leave it out");
        }
        assertRefused("Mix#127.0.0.1", "client.pairing", "own", "client.mix", "send:1,peek:1")
                .hasMessageContaining("those of Mix do not");
        assertThatCode(() -> check("Mix#127.0.0.1", "client.pairing", "own", "client.mix", "send:1,receive:1"))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseOwnMessagesWhereAJvmCannotDoWithoutOthers() {
        String two = "127.0.0.1,127.0.0.1";
        assertRefused("OneWayClient#" + two, "client.pairing", "own", "client.clients", "1")
                .hasMessageContaining("set client.clients to 2 or more");
        assertRefused("PairedClient#" + two, "client.pairing", "own", "client.clients", "3")
                .hasMessageContaining("must be even");
        assertRefused("Mix#" + two + ";Larry#127.0.0.1", "client.pairing", "own", "client.queues", "2")
                .hasMessage("client.queues must be at least 3 queues, as client.pairing=own gives each JVM of clients "
                        + "public queues of its own");
    }

    @Test
    void shouldRefuseSeveralRequestsAtATimeWhereEachDependsOnTheLast() {
        assertRefused("Tola#127.0.0.1", "client.inflight.max", "2")
                .hasMessageContaining("client.inflight.max must be 1");
    }

    @Test
    void shouldRefuseABatchThatIsLongerThanARequest() {
        assertRefused("Carl#127.0.0.1", "client.batch.send", "65", "client.message.size", "10..65536")
                .hasMessage("client.batch.send of the longest client.message.size is at most 63, as a request has at "
                        + "most 4194304 bytes");
        assertThatCode(() -> check("Carl#127.0.0.1", "client.batch.send", "63", "client.message.size", "10..65536"))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseStepsThatEndBelowTheFirstClients() {
        assertRefused("Mix#127.0.0.1", "client.clients", "30", "client.steps", "+5 every 1s up to 20")
                .hasMessageContaining("client.steps goes up to 20").hasMessageContaining("30 already");
    }

    @Test
    void shouldRefuseToFillWithAnUnknownNumberOfMessages() {
        assertRefused("Fill#127.0.0.1").hasMessageContaining("Fill needs client.requests");
    }

    @Test
    void shouldRefuseMoreDatabaseConnectionsThanAServerHas() {
        assertRefused("DatabaseOnly#127.0.0.1", "client.clients", "65").hasMessageContaining("at most 64");
    }

    @Test
    void shouldRefuseAPositionThatTheMappingDoesNotHave() {
        assertRefused("Mix#127.0.0.1", "common.scenario.myposition", "1").hasMessageContaining("positions 0..0");
    }

    @Test
    void shouldRefuseAKeyOfAnotherDriver() {
        assertRefused("Mix#127.0.0.1", "client.driver.table", "pgmq")
                .hasMessage("client.driver.table has no effect with client.driver=mlmq; leave it out");
    }

    @Test
    void shouldRefuseAnUnknownKeyAndSuggestTheNearest() {
        assertRefused("Mix#127.0.0.1", "client.cleints", "3").hasMessageContaining("did you mean client.clients?");
    }

    @Test
    void shouldRefuseSubscriptionsThatClientsCannotShare() {
        String one = "Subscriber#127.0.0.1";
        assertThatCode(() -> check(one)).doesNotThrowAnyException();
        assertRefused(one, "client.topic.matching", "3", "client.topic.others", "6")
                .hasMessage("there are 9 subscriptions for 10 clients; set client.clients to at most 9, or "
                        + "client.topic.matching to more");
        assertRefused(one, "client.topic.matching", "1001").hasMessageContaining("receive from 101 subscriptions");
        assertRefused(one, "client.topic.filter", "none", "client.topic.others", "1")
                .hasMessageContaining("client.topic.others must be 0");
        assertRefused(one, "client.inflight.max", "2").hasMessageContaining("client.inflight.max must be 1");
        assertRefused(one, "client.topic.filter", "xor 3").hasMessageContaining("must be none, context, property");
    }

    @Test
    void shouldRefuseALayoutOfBrokersThatCannotWork() {
        String brokers = "Broker#127.0.0.1:1,127.0.0.1:2";
        String[] two = {"common.scenario.mapping.broker", brokers, "client.topic.layout", "publisher",
            "client.clients", "2"};
        String[] three = {"common.scenario.mapping.broker", brokers, "client.topic.layout", "publisher",
            "client.clients", "3"};

        assertThatCode(() -> check("Publisher#127.0.0.1", two)).doesNotThrowAnyException();
        assertThatCode(() -> check("Subscriber#127.0.0.1", three)).as("at all brokers").doesNotThrowAnyException();
        assertRefused("Publisher#127.0.0.1", three).hasMessage("client.topic.layout=publisher gives each Publisher a "
                + "broker of its own, and there are 2 brokers for 3; set client.clients so that there are as many");
        assertRefused("Publisher#127.0.0.1;Publisher#127.0.0.1", two).hasMessageContaining("2 brokers for 4");
        assertRefused("Mix#127.0.0.1", two).hasMessage("client.topic.layout has no effect on Mix, which uses no "
                + "topics; leave it out");
        assertRefused("Publisher#127.0.0.1", "client.driver", "jdbc", "client.driver.address",
                "postgresql://user@127.0.0.1/database", "client.topic.layout", "subscriber")
                .hasMessageContaining("client.topic.layout=subscriber needs several brokers of MLMQ, and jdbc");
        assertRefused("Subscriber#127.0.0.1", "common.scenario.mapping.broker", brokers, "client.topic.layout",
                "publisher", "client.driver.take", "consume").hasMessageContaining("leave out client.driver.take");
    }

    @Test
    void shouldRefuseSessionsThatWouldStandIdleOrNeedWhatOthersHave() {
        String[] jdbc = {"client.driver", "jdbc", "client.driver.address", "postgresql://user@127.0.0.1/database",
            "client.driver.sessions", "4", "client.inflight.max", "3"};
        String[] enough = Stream.of(jdbc).map(word -> word.equals("3") ? "4" : word).toArray(String[]::new);

        assertRefused("Bob#127.0.0.1", jdbc).hasMessage("client.driver.sessions=4: a session executes one request at a "
                + "time, so client.inflight.max must be at least as large");
        assertThatCode(() -> check("Bob#127.0.0.1", enough)).doesNotThrowAnyException();
        assertRefused("Mix#127.0.0.1", Stream.concat(Stream.of(enough), Stream.of("client.mix", "send:1,receive:1"))
                .toArray(String[]::new)).hasMessageContaining("a session of Mix must have what an earlier request "
                        + "received");
        assertRefused("PairedClient#127.0.0.1", Stream.concat(Stream.of(enough), Stream.of("client.clients", "2"))
                .toArray(String[]::new)).hasMessageContaining("PairedClient sends its requests one after the other");
        assertRefused("Bob#127.0.0.1", "client.driver.sessions", "2", "client.inflight.max", "2")
                .hasMessageContaining("client.driver.sessions has no effect with client.driver=mlmq");
    }

    @Test
    void shouldRefuseAcknowledgementsThatBrokersOrScenariosDoNotHave() {
        assertRefused("Bob#127.0.0.1", "client.driver.acknowledge", "transacted").hasMessageContaining(
                "client.driver.acknowledge=transacted: brokers of MLMQ have no transactions");
        assertRefused("Worker#127.0.0.1", "client.driver.acknowledge", "none").hasMessageContaining(
                "client.driver.acknowledge=none has no effect on Worker, which acknowledges what it receives");
        assertRefused("Bob#127.0.0.1", "client.driver.acknowledge", "each", "client.driver.take", "consume")
                .hasMessageContaining("consumers acknowledge what was pushed to them");
        for (String way : List.of("usual", "each", "batch", "none")) {
            assertThatCode(() -> check("Bob#127.0.0.1", "client.driver.acknowledge", way)).as(way)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void shouldRefuseAScenarioWhoseOperationTheDriverLacks() {
        String[] jdbc = {"client.driver", "jdbc", "client.driver.address", "postgresql://user@127.0.0.1/database"};

        assertRefused("Echo#127.0.0.1", jdbc)
                .hasMessageContaining("Echo does not run on client.driver=jdbc, which has no echo");
    }

    @Test
    void shouldRefuseTopicsOfPgmqBeforeAnythingIsSent() {
        for (String scenario : List.of("Publisher", "Subscriber")) {
            assertRefused(scenario + "#127.0.0.1", "client.driver", "jdbc", "client.driver.address",
                    "postgresql://user@127.0.0.1/database", "client.driver.table", "pgmq")
                    .hasMessageContaining("pgmq has no topics");
        }
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(String mapping, String... settings) {
        return assertThatThrownBy(() -> check(mapping, settings)).isInstanceOf(ConfigurationException.class);
    }

    private static void check(String mapping, String... settings) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.client", mapping));
        for (int i = 0; i < settings.length; i += 2) {
            text.put(settings[i], settings[i + 1]);
        }
        new ClientJvm(Settings.of(ClientJvm.keys(), text));
    }
}
