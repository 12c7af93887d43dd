package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.memory.MemoryStorage;
import ch.ethz.mlmq.storage.none.NoStorage;
import ch.ethz.mlmq.storage.postgresql.PostgresStorage;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Opens the storage that the settings name. */
final class Storages {
    private Storages() {
    }

    /**
     * Opens the storage that {@code broker.storage} names.
     *
     * @param host the broker listens on
     * @param port the broker listens on
     */
    static Storage open(Settings settings, Limits limits, String host, int port) throws StorageException {
        return switch (settings.get(BrokerKeys.STORAGE)) {
            case POSTGRESQL -> {
                String name = settings.get(BrokerKeys.NAME);
                yield new PostgresStorage(settings, DatabaseAddress.of(settings), limits,
                        name.isEmpty() ? defaultName(host, port) : name, host + ":" + port + " of " + hostName());
            }
            case MEMORY -> new MemoryStorage(limits, settings.get(BrokerKeys.DELIVERIES_MAX),
                    settings.get(BrokerKeys.DEDUP_WINDOW).toMillis(), settings.get(BrokerKeys.CLIENT_KEEP));
            case NONE -> new NoStorage();
        };
    }

    /** @return a name that differs for two ports of one host */
    static String defaultName(String host, int port) {
        InetAddress address = new InetSocketAddress(host, port).getAddress();
        boolean all = address == null || address.isAnyLocalAddress();
        return hostName() + (all ? "" : "/" + address.getHostAddress()) + ":" + port;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
