package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.engine.LoadException;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code load}: runs one JVM of load clients without a properties file, and reports its results at the end. */
@Command(name = "load", description = {"Put load on a broker and print its throughput, response times and errors.",
    "Exit codes: 0 success, 1 no broker responded, no client had a connection when measuring ended, or the load "
            + "failed, 2 wrong usage or setting."})
final class LoadCommand implements Callable<Integer> {
    @Option(names = "--broker", paramLabel = "HOST:PORT", split = ",", defaultValue = "localhost:8099",
            converter = BrokerAddressConverter.class,
            description = "broker, or several separated by commas (default: ${DEFAULT-VALUE})")
    private List<BrokerAddress> brokers;

    @Option(names = "--scenario", paramLabel = "NAME", defaultValue = "Mix",
            description = "operations of the clients (default: ${DEFAULT-VALUE}); docs/reference/scenarios.md lists "
                    + "all scenarios")
    private String scenario;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "16",
            description = "number of clients (default: ${DEFAULT-VALUE})")
    private String clients;

    @Option(names = "--duration", paramLabel = "TIME", defaultValue = "10s",
            description = "length of the measurement (default: ${DEFAULT-VALUE})")
    private String duration;

    @Option(names = "--warmup", paramLabel = "TIME", defaultValue = "1s",
            description = "length of the load before the measurement (default: ${DEFAULT-VALUE})")
    private String warmup;

    @Option(names = "--rate", paramLabel = "RATE",
            description = "rate at which requests start, such as 2000/s or \"100/s to 2000/s over 1min\"; without it "
                    + "each client waits for responses (closed load)")
    private String rate;

    @Option(names = "--poisson", description = "start the requests of --rate at random times instead of equal "
            + "intervals")
    private boolean poisson;

    @Option(names = "--think-time", paramLabel = "TIME", description = "time that a client of a closed load waits "
            + "before its next request")
    private String thinkTime;

    @Option(names = "--inflight", paramLabel = "N", description = "requests that each client has in flight at most "
            + "(default: 1)")
    private String inflight;

    @Option(names = "--queues", paramLabel = "N",
            description = "number of public queues, or a range such as 18..19 (default: 10)")
    private String queues;

    @Option(names = "--message-size", paramLabel = "BYTES",
            description = "lengths of messages, such as 100, 10..1000 or 90%% 100, 10%% 1000 (default: 100)")
    private String messageSize;

    @Option(names = "--requests", paramLabel = "N", description = "end the measurement after this many requests")
    private String requests;

    @Option(names = "--timeout", paramLabel = "TIME",
            description = "time after which a request without a response has failed (default: 1s)")
    private String timeout;

    @Option(names = "--seed", paramLabel = "N", description = "seed of random choices; the same seed makes the same "
            + "operations (default: 1)")
    private String seed;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
            description = "set any key of config/mlmq/client.properties; may be repeated")
    private Map<String, String> others = new HashMap<>();

    @Option(names = "--log", paramLabel = "DIR", description = "write performance log, histograms and summary into "
            + "this folder")
    private String logFolder;

    @Option(names = "--json", description = "print the figures as one JSON object, with times in us")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException, LoadException {
        require(!poisson || rate != null,
                "--poisson needs --rate: a closed load starts a request when it has received a response");
        Settings settings = Settings.of(ClientJvm.keys(), properties());
        ClientJvm jvm = new ClientJvm(settings, this::print);
        KeyExchange.prepare(settings);
        Optional<RunSummary> summary = logFolder == null ? jvm.runWithoutLogs(line -> { }) : jvm.run(line -> { });
        return summary.isPresent() && summary.get().who().connected() == 0 ? 1 : 0;
    }

    private Map<String, String> properties() {
        Map<String, String> text = new HashMap<>();
        text.put(CommonKeys.MY_TYPE.name(), "client");
        text.put(CommonKeys.BROKERS.name(), "Broker#"
                + brokers.stream().map(BrokerAddress::toString).collect(Collectors.joining(",")));
        text.put(CommonKeys.CLIENTS.name(), scenario + "#localhost");
        text.put(CommonKeys.COMMAND_FILE.name(), "");
        text.put(ClientKeys.CLIENTS.name(), clients);
        text.put(ClientKeys.DURATION.name(), duration);
        text.put(ClientKeys.WARMUP.name(), warmup);
        text.put(ClientKeys.ARRIVALS.name(), poisson ? "poisson" : "fixed");
        given(text, CommonKeys.LOG_FOLDER.name(), logFolder);
        given(text, ClientKeys.THINK_TIME.name(), thinkTime);
        given(text, ClientKeys.INFLIGHT_MAX.name(), inflight);
        given(text, ClientKeys.QUEUES.name(), queues);
        given(text, ClientKeys.MESSAGE_SIZE.name(), messageSize);
        given(text, ClientKeys.REQUESTS.name(), requests);
        given(text, ClientKeys.TIMEOUT.name(), timeout);
        given(text, ClientKeys.SEED.name(), seed);
        if (rate != null) {
            require(!rate.isBlank(), "--rate needs a rate such as 2000/s");
            text.put(ClientKeys.RATE.name(), rate);
        }
        text.putAll(others);
        return text;
    }

    private void print(RunSummary summary) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(summary.toFigures());
        } else {
            LoadReport.print(summary, out);
        }
        out.flush();
    }

    private static void given(Map<String, String> text, String key, String value) {
        if (value != null) {
            text.put(key, value);
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new ConfigurationException(message);
        }
    }
}
