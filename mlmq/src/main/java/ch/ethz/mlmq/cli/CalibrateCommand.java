package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.calibration.DiskFlush;
import ch.ethz.mlmq.calibration.NetworkServer;
import ch.ethz.mlmq.calibration.NetworkTest;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code calibrate}: measures the disk of this machine, or the network to another one. */
@Command(name = "calibrate", description = {"Measure this machine, and print the result as one line of JSON.",
    "Standard input has a line with the token that both ends of a network test know.",
    "Exit codes: 0 success, 1 it could not be measured, 2 wrong usage."})
final class CalibrateCommand implements Callable<Integer> {
    private static final int FLUSHES = 200;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MOST_SECONDS = 600;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int SHORTEST_TOKEN = 16;

    /** What is measured. */
    private static final class What {
        @Option(names = "--flush", paramLabel = "FOLDER", description = "time writes of 8 KB and their flush to the "
                + "disk, in a file of its own in this folder, for at most a second")
        private Path folder;

        @Option(names = "--network", paramLabel = "HOST:PORT", description = "time round trips to a server of this "
                + "test, and the bytes that it receives in a second")
        private String server;

        @Option(names = "--serve", paramLabel = "HOST:PORT", description = "be the server of network tests; port 0 is "
                + "a free one, which a first line of JSON tells")
        private String address;
    }

    @ArgGroup(exclusive = true, multiplicity = "1")
    private What what;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "1", description = "number of tests after which the "
            + "server ends (default: 1)")
    private int clients;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "10", description = "time after which the server "
            + "ends in any case (default: 10, at most 600)")
    private int seconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (what.folder != null) {
            return flush();
        }
        return what.server != null ? test() : serve();
    }

    private int flush() throws IOException {
        if (!Files.isDirectory(what.folder)) {
            throw wrong("--flush: " + what.folder + " is no folder");
        }
        say(new JsonObject().put("flush", DiskFlush.measure(what.folder, FLUSHES, SECOND).toJson()));
        return 0;
    }

    private int test() throws IOException {
        NetworkTest found = NetworkTest.with(address("--network", what.server), token(), SECOND, PATIENCE);
        say(new JsonObject().put("network", new JsonObject().put("bytes_per_second", found.bytesPerSecond())
                .put("round_trip", found.roundTrips().toJson())));
        return 0;
    }

    private int serve() throws IOException {
        if (clients < 1 || seconds < 1 || seconds > MOST_SECONDS) {
            throw wrong(clients < 1 ? "--clients must be 1 at least" : "--seconds must be from 1 to " + MOST_SECONDS);
        }
        try (NetworkServer server = new NetworkServer(address("--serve", what.address), token())) {
            say(new JsonObject().put("port", server.port()));
            int served = server.serve(clients, Duration.ofSeconds(seconds));
            say(new JsonObject().put("served", served));
            return served == clients ? 0 : 1;
        }
    }

    private InetSocketAddress address(String option, String text) {
        boolean free = option.equals("--serve") && text.endsWith(":0");
        try {
            BrokerAddress address = BrokerAddress.parse(free ? text.replaceFirst("0$", "1") : text);
            return resolved(option, address.host(), free ? 0 : address.port());
        } catch (IllegalArgumentException e) {
            throw wrong(option + ": " + e.getMessage());
        }
    }

    private InetSocketAddress resolved(String option, String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw wrong(option + ": there is no host " + host);
        }
        return address;
    }

    private String token() throws IOException {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        if (line == null || line.strip().length() < SHORTEST_TOKEN) {
            throw wrong("standard input must have a token of " + SHORTEST_TOKEN + " characters at least");
        }
        return line.strip();
    }

    private void say(JsonObject json) {
        spec.commandLine().getOut().println(json);
        spec.commandLine().getOut().flush();
    }

    private ParameterException wrong(String complaint) {
        return new ParameterException(spec.commandLine(), complaint);
    }
}
