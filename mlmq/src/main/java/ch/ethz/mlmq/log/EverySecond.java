package ch.ethz.mlmq.log;

import ch.ethz.mlmq.agent.Agent;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Writes a line of numbers once a second: the statistics (cumulative, no header) or the gauges (with header). */
public final class EverySecond implements Agent {
    /** Pause between two looks at the time; a line is late by at most that. */
    public static final Duration IDLE = Duration.ofMillis(50);
    private static final long PERIOD_NANOS = 1_000_000_000;

    private final BufferedWriter out;
    private final List<Column> columns;
    private final String name;
    private final LogStart start;
    private long lines;

    private EverySecond(BufferedWriter out, String name, LogStart start, List<Column> columns) {
        this.out = out;
        this.name = name;
        this.start = start;
        this.columns = List.copyOf(columns);
    }

    /**
     * One number of the line.
     *
     * @param name   for the header
     * @param source called once a second, by the agent's thread
     */
    public record Column(String name, LongSupplier source) {
    }

    /**
     * Makes a writer of cumulative counters, without header. It adds the first column, ms since the start.
     *
     * @param start   from which the first column counts
     * @param columns sends, dequeues and peeks, all requests, ns socket I/O, ns workers, ns persistence
     */
    public static EverySecond statistics(Path file, LogStart start, List<Column> columns) throws IOException {
        return new EverySecond(open(file), "statistics", start, columns);
    }

    /** Makes a writer of gauges, with header. It adds the first column, {@code ms} since the start. */
    public static EverySecond gauges(Path file, LogStart start, List<Column> columns) throws IOException {
        BufferedWriter out = open(file);
        out.write("ms," + columns.stream().map(Column::name).collect(Collectors.joining(",")) + "\n");
        return new EverySecond(out, "gauges", start, columns);
    }

    private static BufferedWriter open(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        return Files.newBufferedWriter(file);
    }

    @Override
    public String roleName() {
        return name;
    }

    /** Writes a line if a second has passed since the last one. */
    @Override
    public int doWork() throws IOException {
        if (System.nanoTime() - start.nanos() < lines * PERIOD_NANOS) {
            return 0;
        }
        line();
        return 1;
    }

    @Override
    public void onClose() throws IOException {
        line();
        out.close();
    }

    private void line() throws IOException {
        long elapsed = System.nanoTime() - start.nanos();
        lines = elapsed / PERIOD_NANOS + 1;
        StringBuilder text = new StringBuilder(64).append(elapsed / 1_000_000);
        for (Column column : columns) {
            text.append(',').append(column.source().getAsLong());
        }
        out.write(text.append('\n').toString());
        out.flush();
    }
}
