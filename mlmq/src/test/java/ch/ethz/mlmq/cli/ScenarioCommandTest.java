package ch.ethz.mlmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.agent.JavaProcess;
import ch.ethz.mlmq.campaign.FreePort;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "broker.workr=1                                           | unknown key broker.workr; did you mean "
                + "broker.workers?",
        "common.scenario.myposition=1                             | common.scenario.mapping.broker has positions 0..0",
        "common.scenario.mapping.broker=Brooker#127.0.0.1:8100    | unknown scenario Brooker for a broker; there is "
                + "Broker",
        "common.scenario.mapping.broker=Broker#127.0.0.1          | has no port",
        "common.scenario.mapping.broker=Broker#a:1;Broker#a:1     | a:1 is there twice",
        "broker.db.url=mysql://127.0.0.1/mlmq                     | must read jdbc:postgresql://"})
    void shouldSayInOneLineWhatIsWrongWithTheSettings(String line, String message) throws Exception {
        Path file = folder.resolve("config.properties");
        Files.writeString(file, "common.scenario.mytype=broker\ncommon.performancelogger.logfilepath="
                + folder.resolve("logs") + "\n" + line + "\n");
        StringWriter err = new StringWriter();

        int exitCode = Main.commandLine().setErr(new PrintWriter(err, true))
                .execute("scenario", "-config", file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).startsWith("scenario: ").contains(message);
        assertThat(err.toString().strip().lines()).hasSize(1);
    }

    @Test
    void shouldKnowEveryKeyOfClientsAndBrokers() {
        assertThat(ScenarioCommand.keys().keys()).containsAll(ClientJvm.keys().keys()).containsAll(BrokerKeys.ALL);
    }

    @Test
    void shouldRunABrokerWithItsLogsUntilItIsCommandedToStop() throws Exception {
        try (TestDatabase database = new TestDatabase(); JavaProcess broker = start(database)) {
            broker.awaitOutput("\"state\":\"ready\"");
            Files.writeString(folder.resolve("command.new"), "shutdown\n");
            Files.move(folder.resolve("command.new"), folder.resolve("command.txt"));

            broker.awaitOutput("\"state\":\"stopped\"");
            assertThat(broker.awaitExit()).isZero();
        }
        assertThat(Files.readAllLines(folder.resolve("command.txt.result"))).hasSize(1)
                .allMatch(line -> line.matches("\\d+;shutdown;OK;shutting down"));
        assertThat(Files.readString(folder.resolve("out.txt"))).contains("\"state\":\"stopping\"");
        assertThat(Files.readAllLines(folder.resolve("logs/performance_broker_0.log")).get(0))
                .contains("Role[broker] Position[0]").contains("Unit[us] Sample[1/1]");
        assertThat(Files.readAllLines(folder.resolve("logs/stats_broker_0.csv")).get(0)).matches("\\d+(,\\d+){6}");
        assertThat(Files.readAllLines(folder.resolve("logs/gauges_broker_0.csv")).get(0))
                .startsWith("ms,clients,queue");
        assertThat(Files.readString(folder.resolve("logs/broker_0.log"))).contains("listens on")
                .contains("has stopped");
    }

    private JavaProcess start(TestDatabase database) throws Exception {
        int port = FreePort.find();
        Path config = folder.resolve("config.properties");
        Files.writeString(config, "common.scenario.mytype=broker\ncommon.scenario.mapping.broker=Broker#127.0.0.1:"
                + port
                + "\ncommon.performancelogger.logfilepath=" + folder.resolve("logs") + "\ncommon.commandofile.path="
                + folder.resolve("command.txt") + "\nbroker.db.url=" + database.address().url() + "\nbroker.db.user="
                + database.address().user() + "\nbroker.db.password=" + database.address().password() + "\n");
        return JavaProcess.start(Files.createFile(folder.resolve("out.txt")), List.of("-Xmx128m"),
                "ch.ethz.mlmq.cli.Main", List.of("scenario", "-config", config.toString(), "-l",
                        Path.of("..", "config", "mlmq", "logging.properties").toString(), "--progress"));
    }
}
