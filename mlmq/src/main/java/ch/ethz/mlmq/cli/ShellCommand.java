package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.shell.Script;
import ch.ethz.mlmq.client.shell.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code shell [HOST:PORT]}: offers every operation of a broker to a person at a terminal or a script on standard
 * input.
 */
@Command(name = "shell", description = {"Send commands to a broker from the terminal, or from a script on standard "
        + "input.",
    "Exit codes: 0 success, 1 a command failed or no broker responded, 2 a line is not a command or wrong usage."})
final class ShellCommand implements Callable<Integer> {
    private static final int TIMEOUT_MILLIS = 5_000;

    @Parameters(paramLabel = "HOST:PORT", arity = "0..1", defaultValue = "localhost:8099",
            description = "broker, or several separated by commas (default: ${DEFAULT-VALUE})")
    private String brokers;

    @Mixin
    private TlsOptions tls;

    @Mixin
    private UserOptions user;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (Client client = Client.connect(config())) {
            Shell shell = new Shell(client);
            if (System.console() == null) {
                return Script.run(shell, new BufferedReader(new InputStreamReader(System.in)), out, err);
            }
            ShellPrompt.run(shell, brokers);
            return Script.DONE;
        } catch (MlmqException.NotConnected e) {
            err.println("shell: " + e.getMessage() + ". Is a broker running there? bin/mlmq broker starts one.");
            return Script.FAILED;
        }
    }

    private ClientConfig config() {
        try {
            return ClientConfig.builder().brokers(BrokerAddress.parseList(brokers))
                    .requestTimeoutMillis(TIMEOUT_MILLIS).tls(tls.config())
                    .credentials(user.credentials()).build();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }
}
