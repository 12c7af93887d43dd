package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.source.LogStore;
import ch.ethz.mlmq.log_analyzer.source.Place;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/** The files of a run beside its performance logs; each is read when it is needed. */
public final class Run implements Closeable {
    /** Ends of phases this close are the same. */
    private static final long TOGETHER_MS = 100;
    private static final String ENVIRONMENT = "environment.json";

    /** Bytes of settings: more than those of a thousand JVMs. */
    private static final int MOST_SETTINGS = 32 << 20;

    private final LogStore store;
    private final Consumer<String> complaints;
    private final TreeMap<String, String> unreadable = new TreeMap<>();

    private Run(LogStore store, Consumer<String> complaints) {
        this.store = store;
        this.complaints = complaints;
    }

    /**
     * Opens a run. Files beside the performance logs that cannot be read are left out and reported.
     *
     * @param path       a run's zip, or a folder of logs
     * @param complaints gets a sentence about each such file
     */
    public static Run open(Path path, Consumer<String> complaints) throws IOException {
        return new Run(LogStore.open(path), complaints);
    }

    /** @return errors by file, including files that were needed and could not be read completely */
    public SortedMap<String, String> unreadable() {
        return Collections.unmodifiableSortedMap(unreadable);
    }

    /** Reports an error of a file once. */
    void complain(StoredFile file, Optional<String> what) {
        if (what.isPresent() && unreadable.putIfAbsent(file.name(), what.get()) == null) {
            complaints.accept(file.name() + " is not read, or not completely: " + what.get() + ".");
        }
    }

    /** Reads a file beside the performance logs. */
    @FunctionalInterface
    private interface Reader<T> {
        T read(StoredFile file) throws IOException;
    }

    private <T> Optional<T> read(StoredFile file, Reader<T> reader) {
        try {
            return Optional.of(reader.read(file));
        } catch (JsonProcessingException e) {
            complain(file, Optional.of("it is not JSON (" + e.getOriginalMessage().lines().findFirst().orElse("")
                    + ")"));
        } catch (EOFException e) {
            complain(file, Optional.of("it is cut off"));
        } catch (IOException | DataException | IllegalArgumentException e) {
            complain(file, Optional.of(e.getMessage() == null ? e.getClass().getSimpleName()
                    : e.getMessage().lines().findFirst().orElse("")));
        }
        return Optional.empty();
    }

    public LogStore store() {
        return store;
    }

    /** @return the run's own name, else that of its zip or folder */
    public String name() throws IOException {
        Json environment = environment();
        return environment.at("definition", "name").text().or(() -> environment.at("name").text()).orElse(store.name());
    }

    /** @return {@code environment.json}, missing if there is none */
    public Json environment() throws IOException {
        return json(ENVIRONMENT);
    }

    /** @return what each machine's network carried in its test before the load [bytes/s], without those not tested */
    public Map<String, Double> testedNetworks() throws IOException {
        Map<String, Double> tested = new TreeMap<>();
        for (Json machine : environment().at("machines").elements()) {
            machine.at("calibration", "network").number().ifPresent(rate ->
                    tested.put(machine.at("name").text().orElse(""), rate));
        }
        return tested;
    }

    /** @return the definition of the run */
    public Json definition() throws IOException {
        return environment().at("definition");
    }

    /** @return the final summary of each client JVM; a full disk leaves it empty, which is none */
    public List<ClientSummary> summaries() throws IOException {
        List<ClientSummary> summaries = new ArrayList<>();
        Json.Room room = new Json.Room();
        for (StoredFile file : once(name -> name.startsWith("summary_client_") && name.endsWith(".json"))) {
            json(file, room).ifPresent(json -> {
                if (json.value() instanceof Map) {
                    summaries.add(new ClientSummary(Place.of(file.name(), ""), json));
                } else {
                    complain(file, Optional.of("it is no JSON object"));
                }
            });
        }
        return summaries;
    }

    /** @return the client JVMs that have files but no summary, as one that was killed */
    public List<String> clientsWithoutSummary() throws IOException {
        Set<String> summarized = summaries().stream().map(summary -> summary.place().jvm()).collect(Collectors.toSet());
        return machinesByJvm().keySet().stream().filter(jvm -> jvm.startsWith("client") && !summarized.contains(jvm))
                .toList();
    }

    /** @return when all client JVMs were measuring at the same time; empty if they do not tell */
    public Optional<TimeRange> measuringPhase() throws IOException {
        List<TimeRange> phases = summaries().stream().flatMap(summary -> summary.measured().stream()).toList();
        long from = phases.stream().mapToLong(TimeRange::fromMs).max().orElse(0);
        long to = phases.stream().mapToLong(TimeRange::toMs).min().orElse(0);
        return from < to ? Optional.of(new TimeRange(from, to)) : Optional.empty();
    }

    /**
     * @return true if all client JVMs measured at the same time, so that their summaries are about one phase; also if
     * no summary tells when
     */
    public boolean measuredTogether() throws IOException {
        List<TimeRange> phases = summaries().stream().flatMap(summary -> summary.measured().stream()).toList();
        LongSummaryStatistics begins = phases.stream().mapToLong(TimeRange::fromMs).summaryStatistics();
        LongSummaryStatistics ends = phases.stream().mapToLong(TimeRange::toMs).summaryStatistics();
        return phases.isEmpty() || begins.getMax() - begins.getMin() <= TOGETHER_MS
                && ends.getMax() - ends.getMin() <= TOGETHER_MS;
    }

    /** @return cumulative counters of each JVM: {@code ms} since its start, sends, dequeues and peeks, requests, ns */
    public List<Samples> statistics() throws IOException {
        return samples(name -> name.startsWith("stats_") && name.endsWith(".csv"), Samples.STATISTICS,
                file -> Place.of(file.name(), ""));
    }

    /** @return gauges of each JVM; {@code ms} since its start */
    public List<Samples> gauges() throws IOException {
        return samples(name -> name.startsWith("gauges_") && name.endsWith(".csv"), List.of(),
                file -> Place.of(file.name(), ""));
    }

    /** @return measurements of each machine; {@code ms} since 1970 */
    public List<Samples> machines() throws IOException {
        return samples("machine.csv"::equals, List.of(), file -> Place.ofMachine(file.name()));
    }

    /** @return what programs outside of the run took, of each machine that measured it */
    public List<OtherPrograms> otherPrograms() {
        List<OtherPrograms> machines = new ArrayList<>();
        for (StoredFile file : named("programs.csv"::equals)) {
            read(file, each -> OtherPrograms.in(each, what -> complain(file, Optional.of(what))))
                    .ifPresent(machines::add);
        }
        return machines;
    }

    /** @return the roles on each machine, {@code broker} or {@code client}, also of a server without logs of ours */
    public Map<String, Set<String>> rolesByMachine() {
        return store.files().stream().map(file -> Place.of(file.name(), "")).filter(place ->
                place.role().equals("broker") || place.role().equals("client")).collect(Collectors.groupingBy(
                        Place::machine, TreeMap::new, Collectors.mapping(Place::role, Collectors.toSet())));
    }

    /** @return the machines of each JVM that has files: one, but for copies of its folder */
    public Map<String, Set<String>> machinesByJvm() {
        return store.files().stream().map(file -> Place.of(file.name(), "")).filter(place ->
                place.role().equals("broker") || place.role().equals("client")).collect(Collectors.groupingBy(
                        Place::jvm, TreeMap::new, Collectors.mapping(Place::machine, Collectors.toSet())));
    }

    /** @return {@code queue_lengths.csv}: messages in each queue every few seconds */
    public List<QueueSeries> queueLengths() {
        return store.find("queue_lengths.csv").flatMap(file -> read(file, each -> QueueSeries.in(each,
                what -> complain(file, Optional.of(what))))).orElse(List.of());
    }

    /** @return {@code experiment.json}, missing if there is none */
    public Json experiment() {
        return json("experiment.json");
    }

    /** @return the tries that a search made within this run; else none */
    public List<Json> tries() {
        return experiment().at("tries").elements();
    }

    /** @return the events of the run, in order of time */
    public List<RunEvent> events() {
        return store.find("events.csv").flatMap(file -> read(file, each -> RunEvent.in(each,
                what -> complain(file, Optional.of(what))))).orElse(List.of());
    }

    /** @return planned start of the clients [ms since 1970]; empty if the run does not tell */
    public OptionalLong loadStartMs() throws IOException {
        Json start = environment().at("load_starts_ms");
        return start.isMissing() ? OptionalLong.empty() : OptionalLong.of(Math.round(start.numberOr(0)));
    }

    /** @return the interval histograms */
    public List<StoredFile> histograms() {
        return once(name -> name.endsWith(".hlog"));
    }

    /** @return the settings of each JVM by its name, as far as they were kept */
    public Map<String, Map<String, String>> settings() throws IOException {
        Map<String, Map<String, String>> settings = new TreeMap<>();
        int[] room = {MOST_SETTINGS};
        for (StoredFile file : named("config.properties"::equals)) {
            read(file, each -> properties(each, room)).ifPresent(own -> settings.put(Place.of(file.name(), "").jvm(),
                    own));
        }
        for (Json machine : environment().at("machines").elements()) {
            for (Json jvm : machine.at("jvms").elements()) {
                settings.put(jvm.at("name").text().orElse(""), new Json(jvm.at("settings").value()).leaves());
            }
        }
        return settings;
    }

    /**
     * @return the run's parameters by name: the paths of its definition such as {@code brokers.0.settings.workers};
     * without a definition, the settings of its JVMs, with the numbers of {@code brokers} and {@code clients}
     */
    public Map<String, String> parameters() throws IOException {
        Map<String, String> defined = definition().leaves();
        if (!defined.isEmpty()) {
            return defined;
        }
        Map<String, TreeSet<String>> values = new TreeMap<>();
        settings().values().forEach(jvm -> jvm.forEach((key, value) -> {
            if (key.startsWith("broker.") || key.startsWith("client.")) {
                values.computeIfAbsent(key, unseen -> new TreeSet<>()).add(value);
            }
        }));
        Map<String, String> parameters = new TreeMap<>();
        values.forEach((key, distinct) -> parameters.put(key, String.join(" ", distinct)));
        long brokers = settings().keySet().stream().filter(jvm -> jvm.startsWith("broker_")).count();
        long clients = Math.round(summaries().stream().mapToDouble(ClientSummary::clients).sum());
        parameters.put("brokers", Long.toString(brokers));
        parameters.put("clients", Long.toString(clients));
        return parameters;
    }

    @Override
    public void close() throws IOException {
        store.close();
    }

    private static Map<String, String> properties(StoredFile file, int[] room) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = file.open()) {
            byte[] content = in.readNBytes(room[0]);
            room[0] -= content.length;
            properties.load(new StringReader(new String(content, StandardCharsets.UTF_8)));
        }
        Map<String, String> plain = new TreeMap<>();
        properties.forEach((key, value) -> plain.put(key.toString(), value.toString()));
        return plain;
    }

    private List<Samples> samples(Predicate<String> name, List<String> columns, Function<StoredFile, Place> place) {
        List<Samples> samples = new ArrayList<>();
        Samples.Room room = new Samples.Room();
        for (StoredFile file : once(name)) {
            read(file, each -> Samples.read(each, place.apply(each), columns, room,
                    what -> complain(file, Optional.of(what)))).ifPresent(samples::add);
        }
        return samples;
    }

    private List<StoredFile> named(Predicate<String> name) {
        return store.files().stream().filter(file -> name.test(file.plainName())).toList();
    }

    /** @return files without copies, which have the same name and content, compressed or not */
    private List<StoredFile> once(Predicate<String> name) {
        List<StoredFile> all = named(name);
        Map<String, Long> alike = all.stream().collect(Collectors.groupingBy(StoredFile::plainName,
                Collectors.counting()));
        Set<List<Object>> seen = new HashSet<>();
        return all.stream().filter(file -> alike.get(file.plainName()) == 1
                || seen.add(List.of(file.plainName(), checksum(file)))).toList();
    }

    /** @return the checksum of the readable content */
    private static long checksum(StoredFile file) {
        CRC32 sum = new CRC32();
        try (InputStream in = new CheckedInputStream(file.openBuffered(), sum)) {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // Whoever reads the file reports this.
            return sum.getValue();
        }
        return sum.getValue();
    }

    private Json json(String name) {
        return store.find(name).flatMap(file -> json(file, new Json.Room())).orElse(Json.MISSING);
    }

    private Optional<Json> json(StoredFile file, Json.Room room) {
        return read(file, each -> {
            try (InputStream in = each.openBuffered()) {
                return Json.read(in, room);
            }
        });
    }
}
