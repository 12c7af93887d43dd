package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.client.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Measures the resources of a broker's process and of its database. */
final class SoakProbe implements AutoCloseable {
    private static final String SIZES = "SELECT pg_table_size('message'), pg_indexes_size('message'), "
            + "(SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = "
            + "c.relnamespace WHERE c.relkind = 'r' AND n.nspname = 'public' AND c.relname <> 'message')";
    private static final String MESSAGES = "SELECT (SELECT count(*) FROM message) + (SELECT count(*) FROM lease)";

    private final PrivateCluster cluster;
    private final long pid;
    private final Client client;
    private long heap;
    private long memory;

    /** Resources in use at one moment. */
    record Holding(long heap, long memory, long resident, long files, long threads, long table, long indexes,
            long others) {
    }

    /** @param client asks the broker how it is, and is closed with the probe */
    SoakProbe(PrivateCluster cluster, long pid, Client client) {
        this.cluster = cluster;
        this.pid = pid;
        this.client = client;
    }

    /** Asks the broker once a second. */
    void lookForAMinute(BooleanSupplier goesOn) throws InterruptedException {
        heap = Long.MAX_VALUE;
        memory = 0;
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (System.nanoTime() - end < 0 && goesOn.getAsBoolean()) {
            String status = client.brokerStatus();
            heap = Math.min(heap, number(status, "heap"));
            memory = Math.max(memory, number(status, "memory"));
            TimeUnit.SECONDS.sleep(1);
        }
    }

    Holding holding() throws IOException, SQLException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"));
                Connection connection = cluster.connect(); Statement statement = connection.createStatement();
                ResultSet sizes = statement.executeQuery(SIZES)) {
            String process = Files.readString(Path.of("/proc/" + pid + "/status"));
            sizes.next();
            return new Holding(heap, memory, 1_024 * number(process, "VmRSS"), files.count(),
                    number(process, "Threads"), sizes.getLong(1), sizes.getLong(2), sizes.getLong(3));
        }
    }

    /** @return in the database, leased ones included */
    long messages() throws SQLException {
        try (Connection connection = cluster.connect(); Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(MESSAGES)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private static long number(String text, String name) {
        Matcher matcher = Pattern.compile("\\b" + name + "\"?:\\s*(\\d+)").matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no " + name + " in " + text);
        }
        return Long.parseLong(matcher.group(1));
    }
}
