package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.zip.ZipException;

/**
 * Reads performance logs in one pass, with a thread for each processor. Each thread reads whole compressed files or
 * slices of plain ones, and shares its results only at the end.
 */
public final class LogReader {
    private static final int HEAP_SHARE = 3;

    private final List<PerformanceFile> files;
    private final LongFunction<double[]> percents;
    private final Timeline timeline;
    private final Groups groups;
    private final Limits limits;

    /**
     * @param threads that read
     * @param budget  bytes of durations kept by a thread before it packs them
     * @param slice   bytes of a plain file that a thread takes at a time
     * @param most    bytes that a thread may hold at all
     * @param cells   windows of actions that a thread may hold: rows of a table
     */
    record Limits(int threads, long budget, long slice, long most, long cells) {
        /** Bytes of heap of a table's row until it is written. */
        private static final long HEAP_OF_A_CELL = 2048;
        private static final long SLICE = 8 << 20;
        private static final long MOST_BUDGET = 160L << 20;

        static Limits ofThisMachine() {
            int threads = Runtime.getRuntime().availableProcessors();
            long heap = Runtime.getRuntime().maxMemory() / threads;
            return new Limits(threads, Math.min(MOST_BUDGET, heap / HEAP_SHARE), SLICE, heap / 2,
                    heap / HEAP_OF_A_CELL);
        }
    }

    /** @param percents percentiles wanted of each window, 0..100 */
    public LogReader(List<PerformanceFile> files, Timeline timeline, Grouping grouping, double... percents) {
        this(files, timeline, grouping, percents, Limits.ofThisMachine());
    }

    /** @param percents percentiles wanted of a window, by its number, 0..100 */
    LogReader(List<PerformanceFile> files, Timeline timeline, Grouping grouping, LongFunction<double[]> percents) {
        this(files, timeline, grouping, percents, Limits.ofThisMachine());
    }

    LogReader(List<PerformanceFile> files, Timeline timeline, Grouping grouping, double[] percents, Limits limits) {
        this(files, timeline, grouping, window -> percents, limits);
    }

    private LogReader(List<PerformanceFile> files, Timeline timeline, Grouping grouping,
            LongFunction<double[]> percents, Limits limits) {
        this.files = files;
        this.timeline = timeline;
        this.percents = percents;
        this.groups = new Groups(grouping);
        this.limits = limits;
    }

    public Measurements read() throws IOException {
        return read(false);
    }

    /** @param inSlices whether it is kept how durations are distributed in each window of the measurement interval */
    public Measurements read(boolean inSlices) throws IOException {
        List<Task> tasks = tasks();
        SliceCount[] counts = new SliceCount[tasks.size()];
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(limits.threads());
        try {
            List<CellTable> tables = onEach(pool, () -> work(tasks, next, counts));
            Summation summation = new Summation(timeline, groups.numbered(), tables, percents, inSlices);
            List<Measurements.Group> sums = onEach(pool, summation::work).stream().flatMap(List::stream)
                    .sorted(Comparator.comparing(Measurements.Group::name)).toList();
            return Measurements.of(timeline, tables, sums, fileCounts(tasks, counts));
        } finally {
            pool.shutdownNow();
        }
    }

    /** One thread's share of the files: a stream as a whole, or lines that begin in {@code [from, to)}. */
    private record Task(int file, long from, long to) {
    }

    private List<Task> tasks() {
        List<Task> streams = new ArrayList<>();
        List<Task> slices = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            long size = files.get(i).file().size();
            if (files.get(i).file().onDisk().isEmpty()) {
                streams.add(new Task(i, 0, size));
                continue;
            }
            for (long from = 0; from < size; from += limits.slice()) {
                slices.add(new Task(i, from, Math.min(size, from + limits.slice())));
            }
        }
        // Streams cannot be split, so they go first, the longest ahead, so that no thread works on one alone at the
        // end.
        streams.sort(Comparator.comparingLong(Task::to).reversed());
        // Files of one run were written at the same time; in this order, records of the same time come together.
        slices.sort(Comparator.comparingDouble(slice -> (double) slice.from / files.get(slice.file).file().size()));
        streams.addAll(slices);
        return streams;
    }

    private CellTable work(List<Task> tasks, AtomicInteger next, SliceCount[] counts) throws IOException {
        CellTable table = new CellTable(timeline, limits);
        SliceReader reader = new SliceReader();
        Map<Integer, ActionTable> actions = new HashMap<>();
        for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
            Task task = tasks.get(i);
            PerformanceFile log = files.get(task.file);
            int alike = groups.areOfAnyLog() ? log.weight() : -task.file;
            ActionTable known = actions.computeIfAbsent(alike, unseen -> new ActionTable(groups, log, table));
            LineScanner scanner = new LineScanner(table, known, log.unit(), task.from == 0);
            read(task, reader, scanner);
            counts[i] = scanner.count();
            if (task.to == log.file().size() && !groups.areOfAnyLog()) {
                actions.remove(alike);
            }
        }
        table.close();
        return table;
    }

    private void read(Task task, SliceReader reader, LineScanner scanner) throws IOException {
        PerformanceFile log = files.get(task.file);
        if (log.file().onDisk().isPresent()) {
            Path path = log.file().onDisk().get();
            try (FileChannel channel = FileChannel.open(path)) {
                reader.read(channel, task.from, task.to, scanner);
            }
            return;
        }
        try (InputStream in = log.file().open()) {
            reader.read(in, scanner);
        } catch (EOFException e) {
            scanner.noteTruncated();
        } catch (ZipException e) {
            scanner.noteDamaged(e.getMessage());
        }
    }

    private List<FileCount> fileCounts(List<Task> tasks, SliceCount[] counts) {
        SliceCount[] perFile = new SliceCount[files.size()];
        Arrays.fill(perFile, SliceCount.NONE);
        for (int i = 0; i < counts.length; i++) {
            int file = tasks.get(i).file;
            perFile[file] = perFile[file].then(counts[i]);
        }
        List<FileCount> result = new ArrayList<>();
        for (int i = 0; i < perFile.length; i++) {
            SliceCount count = perFile[i];
            result.add(new FileCount(files.get(i), count.lines(), count.malformed(), count.firstMalformedLine(),
                    count.firstMalformed(), count.dropped(), count.truncated()));
        }
        return List.copyOf(result);
    }

    private <T> List<T> onEach(ExecutorService pool, Callable<T> work) throws IOException {
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> result : pool.invokeAll(Collections.nCopies(limits.threads(), work))) {
                results.add(result.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException unreadable) {
                throw unreadable;
            }
            if (e.getCause() instanceof DataException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
