package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.client.TlsConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Clients that connect, register and close, again and again, for {@code bench/broker --reconnects}. Arguments: the
 * broker; seconds; the PEM file of the authority, or nothing for connections in the clear; a user and the file of its
 * password, or nothing. Prints the rate [1/s].
 */
public final class Reconnects {
    private static final int CLIENTS = 16;
    private static final int WARM_UP_SECONDS = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private Reconnects() {
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("jdk.tls.namedGroups", "x25519"); // as load clients do
        ClientConfig config = ClientConfig.builder().brokers(BrokerAddress.parseList(args[0]))
                .tls(args[2].isEmpty() ? null : TlsConfig.trusting(Path.of(args[2])))
                .credentials(args[3].isEmpty() ? null : Credentials.of(args[3], Path.of(args[4]))).build();
        long begin = System.nanoTime() + (long) (WARM_UP_SECONDS * NANOS_PER_SECOND);
        long end = begin + (long) (Integer.parseInt(args[1]) * NANOS_PER_SECOND);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        List<Future<Integer>> counts = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                counts.add(threads.submit(reconnecting(config, "reconnecting-" + i, begin, end)));
            }
            int all = 0;
            for (Future<Integer> count : counts) {
                all += count.get();
            }
            System.out.println(all / ((end - begin) / NANOS_PER_SECOND));
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Integer> reconnecting(ClientConfig config, String name, long begin, long end) {
        return () -> {
            int count = 0;
            while (System.nanoTime() - end < 0) {
                try (Client client = Client.connect(config)) {
                    client.register(name);
                }
                long now = System.nanoTime();
                count += now - begin >= 0 && now - end < 0 ? 1 : 0;
            }
            return count;
        };
    }
}
