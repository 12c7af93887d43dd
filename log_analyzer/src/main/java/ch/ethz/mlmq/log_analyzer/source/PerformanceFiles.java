package ch.ethz.mlmq.log_analyzer.source;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.ZipException;

/** Finds the performance logs of a store and reads their beginnings and ends. */
public final class PerformanceFiles {
    private static final int DURATION_DIGITS = 10;
    private static final int STAMP_DIGITS = 15;
    private static final String SAMPLE = "Sample[1/";
    private static final String STARTED = "Started[";
    /** Limit of logs: more than a run's JVMs write, as clients and brokers are up to 1024 each. */
    private static final int MOST_LOGS = 10_000;
    private static final int PROBED_LINES = 1000;
    /** Number of lines in which a damaged stamp can be detected. */
    private static final int FIRST_LINES = 5;
    private static final long DAY_MS = 86_400_000;
    private static final int PROBED_BYTES = 1 << 20;
    private static final int LONGEST_HEADER = 1 << 12;
    /** Bytes for a header and a line: decoding more takes long, because nothing is compiled yet. */
    private static final int PROBED_AT_ONCE = 256;
    private static final int TAIL_BYTES = 1 << 12;
    private static final int SEPARATORS = 3;
    private static final int US_PER_MS = 1000;
    private static final int DECIMAL = 10;

    private PerformanceFiles() {
    }

    /**
     * Logs without duplicates.
     *
     * @param logs   named {@code performance*}; if there are none, every file that begins like such a log
     * @param copies names of duplicates: compressed, linked, or of the same start of a JVM
     */
    public record Found(List<PerformanceFile> logs, List<String> copies) {
    }

    /** @return the logs of a store without duplicates */
    public static List<PerformanceFile> in(LogStore store) throws IOException {
        return find(store).logs();
    }

    public static Found find(LogStore store) throws IOException {
        List<PerformanceFile> all = probe(store, file -> file.plainName().startsWith("performance"));
        if (all.isEmpty()) {
            all = probe(store, file -> file.plainName().endsWith(".log") || store.files().size() == 1).stream()
                    .filter(file -> file.firstStartMs().isPresent()).toList();
        }
        List<PerformanceFile> logs = new ArrayList<>();
        List<String> copies = new ArrayList<>();
        Set<Object> seen = new HashSet<>();
        // Files that are not compressed can be read in parallel.
        for (PerformanceFile log : all.stream().sorted(Comparator.comparing(log -> log.file().isGzip())).toList()) {
            boolean known = false;
            for (Object identity : identities(log)) {
                known |= !seen.add(identity);
            }
            if (known) {
                copies.add(log.file().name());
            } else {
                logs.add(log);
            }
        }
        return new Found(List.copyOf(logs), List.copyOf(copies));
    }

    /** @return identities of a log: two logs with a common one are the same */
    private static List<Object> identities(PerformanceFile log) throws IOException {
        List<Object> identities = new ArrayList<>();
        String name = log.file().name();
        identities.add(log.file().isGzip() ? name.substring(0, name.length() - ".gz".length()) : name);
        if (log.file().onDisk().isPresent()) {
            identities.add(log.file().onDisk().get().toRealPath());
        }
        if (log.header().contains(STARTED)) {
            identities.add(List.of(log.place().jvm(), log.header()));
        }
        return identities;
    }

    /**
     * @return when the last lines of a plain file were written [ms since 1970], in their order; none if that needs a
     * full read
     */
    public static long[] lastStamps(PerformanceFile log) throws IOException {
        if (log.file().onDisk().isEmpty()) {
            return new long[0];
        }
        Path path = log.file().onDisk().get();
        try (RandomAccessFile in = new RandomAccessFile(path.toFile(), "r")) {
            long from = Math.max(0, in.length() - TAIL_BYTES);
            byte[] tail = new byte[(int) (in.length() - from)];
            in.seek(from);
            in.readFully(tail);
            return stamps(new String(tail, StandardCharsets.UTF_8), from == 0);
        }
    }

    /**
     * Reads stamps of complete lines: the first line of a tail may be cut off, and so may the last one if its context
     * has not begun.
     */
    private static long[] stamps(String tail, boolean whole) {
        String[] lines = tail.split("\n");
        String last = lines.length == 0 ? "" : lines[lines.length - 1];
        boolean counts = tail.endsWith("\n") || last.chars().filter(c -> c == ';').count() >= SEPARATORS;
        int to = counts ? lines.length : Math.max(0, lines.length - 1);
        return Arrays.stream(lines, whole ? 0 : Math.min(1, to), to).filter(PerformanceFiles::isData)
                .mapToLong(PerformanceFiles::stamp).toArray();
    }

    private static List<PerformanceFile> probe(LogStore store, Predicate<StoredFile> wanted) throws IOException {
        List<PerformanceFile> logs = new ArrayList<>();
        for (StoredFile file : store.files()) {
            if (wanted.test(file)) {
                logs.add(probe(file));
                if (logs.size() > MOST_LOGS) {
                    throw new DataException(store.name() + " holds more than " + MOST_LOGS + " logs.");
                }
            }
        }
        return logs;
    }

    private static PerformanceFile probe(StoredFile file) throws IOException {
        String header = "";
        List<String> first = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new Beginning(file.open(), PROBED_BYTES), StandardCharsets.ISO_8859_1),
                PROBED_AT_ONCE)) {
            for (int i = 0; i < PROBED_LINES; i++) {
                String line = readLine(reader);
                if (line == null) {
                    break;
                }
                if (isData(line) && duration(line) <= Integer.MAX_VALUE / unitOf(header)) {
                    first.add(line);
                } else if (i == 0) {
                    header = line.substring(0, Math.min(line.length(), LONGEST_HEADER));
                }
                if (first.size() == FIRST_LINES) {
                    break;
                }
            }
        } catch (EOFException | ZipException e) {
            // A gzip may be unfinished, because its JVM was killed, empty, or invalid: the readable part counts.
            header = header.strip();
        }
        return new PerformanceFile(file, Place.of(file.name(), header), header, unitOf(header), sampleOf(header),
                start(first, unitOf(header)));
    }

    /** @return null at the end, and for a last line that was cut off and does not count */
    private static String readLine(BufferedReader reader) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = reader.read();
        for (; next >= 0 && next != '\n'; next = reader.read()) {
            line.append((char) next);
        }
        if (next < 0 && line.chars().filter(c -> c == ';').count() < SEPARATORS) {
            return null;
        }
        return line.length() > 0 && line.charAt(line.length() - 1) == '\r' ? line.substring(0, line.length() - 1)
                : line.toString();
    }

    /** @return begin of the first of these lines whose stamp agrees with the others; empty if there is none */
    private static OptionalLong start(List<String> first, int unit) {
        long[] stamps = first.stream().mapToLong(PerformanceFiles::stamp).sorted().toArray();
        return first.stream().filter(line -> Math.abs(stamp(line) - stamps[(stamps.length - 1) / 2]) <= DAY_MS)
                .mapToLong(line -> stamp(line) - duration(line) * unit / US_PER_MS).findFirst();
    }

    /**
     * @return true if a line is {@code duration;utc-ms;action}, with anything behind; without a regular expression,
     * which is slow at first
     */
    private static boolean isData(String line) {
        int first = line.indexOf(';');
        int second = line.indexOf(';', first + 1);
        return isNumber(line, 0, first, DURATION_DIGITS) && isNumber(line, first + 1, second, STAMP_DIGITS)
                && second + 1 < line.length() && line.charAt(second + 1) != ';';
    }

    private static boolean isNumber(String line, int from, int to, int mostDigits) {
        for (int i = from; i < to; i++) {
            if (line.charAt(i) < '0' || line.charAt(i) > '9') {
                return false;
            }
        }
        return to > from && to - from <= mostDigits;
    }

    private static long duration(String data) {
        return Long.parseLong(data, 0, data.indexOf(';'), DECIMAL);
    }

    private static long stamp(String data) {
        int from = data.indexOf(';') + 1;
        return Long.parseLong(data, from, data.indexOf(';', from), DECIMAL);
    }

    private static int sampleOf(String header) {
        int from = header.indexOf(SAMPLE) + SAMPLE.length();
        int to = header.indexOf(']', from);
        if (!header.contains(SAMPLE) || to < 0) {
            return 1;
        }
        try {
            return Integer.parseUnsignedInt(header.substring(from, to));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    private static int unitOf(String header) {
        return header.contains("Unit[us]") ? 1 : US_PER_MS;
    }
}
