package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.MlmqException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code status HOST:PORT}: shows a broker's state as one line of JSON. */
@Command(name = "status", description = {"Print the state of a broker as one line of JSON.",
    "Exit codes: 0 success, 1 no broker responded, 2 wrong usage."})
final class StatusCommand implements Callable<Integer> {
    private static final int TIMEOUT_MILLIS = 5_000;

    @Parameters(paramLabel = "HOST:PORT", description = "address of the broker")
    private String broker;

    @Mixin
    private TlsOptions tls;

    @Mixin
    private UserOptions user;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (Client client = Client.connect(config())) {
            spec.commandLine().getOut().println(client.brokerStatus());
            return 0;
        } catch (MlmqException e) {
            spec.commandLine().getErr().println("status: " + e.getMessage());
            return 1;
        }
    }

    private ClientConfig config() {
        try {
            return ClientConfig.builder().brokers(List.of(BrokerAddress.parse(broker)))
                    .requestTimeoutMillis(TIMEOUT_MILLIS).tls(tls.config())
                    .credentials(user.credentials()).build();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }
}
