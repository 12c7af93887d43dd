package ch.ethz.mlmq.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Client JVMs over two brokers and PostgreSQL: each acknowledged message is received once or still there. */
@Timeout(180)
class ConservationTest {
    private static final int CLIENT_JVMS = 7;
    private static final String NAME = "load_" + UUID.randomUUID().toString().replace("-", "");
    private static final DatabaseAddress SERVER = new DatabaseAddress(System.getenv("MLMQ_DB_URL"),
            System.getenv("MLMQ_DB_USER"), System.getenv("MLMQ_DB_PASSWORD"));

    @TempDir
    static Path folder;
    private static final List<MlmqProcess> BROKERS = new ArrayList<>();

    @BeforeAll
    static void startBrokers() throws Exception {
        dbscript("-createDatabase", "-createTables");
        for (int position = 0; position < 2; position++) {
            BROKERS.add(MlmqProcess.broker(folder.resolve("broker_" + position), "--port", "0", "--set",
                    "broker.db.url=" + SERVER.withDatabase(NAME).url(), "--set", "broker.db.user=" + SERVER.user()));
        }
    }

    @AfterAll
    static void stopBrokers() throws Exception {
        for (MlmqProcess broker : BROKERS) {
            broker.close();
        }
        dbscript("-dropDatabase");
    }

    @Test
    void shouldReceiveEachAcknowledgedMessageOnceOrLeaveItInTheDatabase() throws Exception {
        String mapping = "OneWayClient#127.0.0.1;PairedClient#127.0.0.1,127.0.0.1;Larry#127.0.0.1;"
                + "PublicQueueProducer#127.0.0.1;PublicQueueConsumer#127.0.0.1;Worker#127.0.0.1";
        List<MlmqProcess> clients = new ArrayList<>();
        for (int position = 0; position < CLIENT_JVMS; position++) {
            clients.add(client(position, mapping));
        }
        for (int position = 0; position < CLIENT_JVMS; position++) {
            MlmqProcess client = clients.get(position);
            MlmqProcess.until("client " + position + " is ready", () -> client.out().contains("\"state\":\"ready\""));
        }
        long start = System.currentTimeMillis() + 1_000;
        for (int position = 0; position < CLIENT_JVMS; position++) {
            command(position, "start " + start);
        }

        List<String> sent = new ArrayList<>();
        List<String> received = new ArrayList<>();
        for (int position = 0; position < CLIENT_JVMS; position++) {
            assertThat(clients.get(position).exitCode()).as(clients.get(position).err()).isZero();
            String summary = Files.readString(client(position).resolve("logs/summary_client_" + position + ".json"));
            assertThat(summary).contains("\"errors\":{}", "\"unanswered_sends\":0", "\"unanswered_dequeues\":0");
            assertThat(summary).contains("\"ok\":" + times(position).getTotalCount() + ",");
            sent.addAll(messages(position, "sent"));
            received.addAll(messages(position, "received"));
        }
        List<String> receivedOrLeft = new ArrayList<>(received);
        receivedOrLeft.addAll(left());

        assertThat(sent).hasSizeGreaterThan(700).doesNotHaveDuplicates();
        assertThat(received).hasSizeGreaterThan(300);
        assertThat(messages(CLIENT_JVMS - 1, "received")).as("messages of the workers").isNotEmpty();
        assertThat(receivedOrLeft).containsExactlyInAnyOrderElementsOf(sent);
    }

    private static Histogram times(int position) throws Exception {
        String text = Files.readAllLines(client(position).resolve("logs/times_client_" + position + ".txt")).get(0);
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    }

    private static Path client(int position) {
        return folder.resolve("client_" + position);
    }

    private static MlmqProcess client(int position, String mapping) throws Exception {
        Files.createDirectories(client(position));
        Files.writeString(client(position).resolve("config.properties"), String.join("\n",
                "common.scenario.mytype=client", "common.scenario.myposition=" + position,
                "common.scenario.mapping.broker=Broker#" + BROKERS.get(0).address() + "," + BROKERS.get(1).address(),
                "common.scenario.mapping.client=" + mapping, "client.clients=4", "client.rate=100/s",
                "client.duration=5s",
                "client.start.at=command", "client.timeout=30s", "client.record.messages=true", "client.batch=3",
                "client.work=1ms"));
        return MlmqProcess.start(client(position), "scenario", "-config", "config.properties", "--progress");
    }

    private static void command(int position, String line) throws IOException {
        Path written = Files.writeString(client(position).resolve("command.tmp"), line + "\n");
        Files.move(written, client(position).resolve("command.txt"));
    }

    private static List<String> messages(int position, String what) throws IOException {
        return Files.readAllLines(client(position).resolve("logs/messages_client_" + position + ".csv")).stream()
                .filter(line -> line.startsWith(what + ";")).map(line -> line.split(";")[1]).toList();
    }

    private static List<String> left() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = SERVER.withDatabase(NAME).connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT encode(substring(content FROM 5 FOR 6), 'hex') FROM (SELECT content FROM message "
                                + "UNION ALL SELECT content FROM lease) AS kept")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }

    private static void dbscript(String... steps) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("dbscript", "-url", SERVER.url(), "-user", SERVER.user(),
                "-db", NAME));
        arguments.addAll(List.of(steps));
        try (MlmqProcess script = MlmqProcess.start(folder.resolve("dbscript"), arguments.toArray(String[]::new))) {
            assertThat(script.exitCode()).as(script.err()).isZero();
        }
    }
}
