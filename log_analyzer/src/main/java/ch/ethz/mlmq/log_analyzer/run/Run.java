package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.LogStore;
import ch.ethz.mlmq.log_analyzer.source.Place;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a run left behind beside its performance logs; each file is read when it is asked for. */
public final class Run implements Closeable {
    private static final String ENVIRONMENT = "environment.json";

    private final LogStore store;

    private Run(LogStore store) {
        this.store = store;
    }

    /** @param path a run's zip, or a folder of logs */
    public static Run open(Path path) throws IOException {
        return new Run(LogStore.open(path));
    }

    public LogStore store() {
        return store;
    }

    /** @return the run's own name, else that of its zip or folder */
    public String name() throws IOException {
        Json environment = environment();
        return environment.at("definition", "name").text().or(() -> environment.at("name").text()).orElse(store.name());
    }

    /** @return {@code environment.json}, missing where there is none */
    public Json environment() throws IOException {
        Optional<StoredFile> file = store.find(ENVIRONMENT);
        return file.isPresent() ? json(file.get()) : Json.MISSING;
    }

    /** @return what was to be run */
    public Json definition() throws IOException {
        return environment().at("definition");
    }

    /** @return what each client JVM said at its end */
    public List<ClientSummary> summaries() throws IOException {
        List<ClientSummary> summaries = new ArrayList<>();
        for (StoredFile file : named(name -> name.startsWith("summary_client_") && name.endsWith(".json"))) {
            summaries.add(new ClientSummary(Place.of(file.name(), ""), json(file)));
        }
        return summaries;
    }

    /** @return when all client JVMs were measuring at once; empty where they do not tell */
    public Optional<Phase> measuringPhase() throws IOException {
        List<Phase> phases = summaries().stream().flatMap(summary -> summary.measured().stream()).toList();
        long from = phases.stream().mapToLong(Phase::fromMs).max().orElse(0);
        long to = phases.stream().mapToLong(Phase::toMs).min().orElse(0);
        return from < to ? Optional.of(new Phase(from, to)) : Optional.empty();
    }

    /** @return cumulative counters of each JVM: {@code ms} since its start, sends, dequeues and peeks, requests, ns */
    public List<Samples> statistics() throws IOException {
        return samples(name -> name.startsWith("stats_") && name.endsWith(".csv"), Samples.STATISTICS);
    }

    /** @return gauges of each JVM; {@code ms} since its start */
    public List<Samples> gauges() throws IOException {
        return samples(name -> name.startsWith("gauges_") && name.endsWith(".csv"), List.of());
    }

    /** @return measurements of each machine; {@code ms} since 1970 */
    public List<Samples> machines() throws IOException {
        List<Samples> samples = new ArrayList<>();
        for (StoredFile file : named("machine.csv"::equals)) {
            samples.add(Samples.read(file, Place.ofMachine(file.name()), List.of()));
        }
        return samples;
    }

    /** @return who was on each machine, {@code broker} or {@code client}: also a server that keeps no log of ours */
    public Map<String, Set<String>> rolesByMachine() {
        return store.files().stream().map(file -> Place.of(file.name(), "")).filter(place ->
                place.role().equals("broker") || place.role().equals("client")).collect(Collectors.groupingBy(
                        Place::machine, TreeMap::new, Collectors.mapping(Place::role, Collectors.toSet())));
    }

    /** @return {@code queue_lengths.csv}: messages in each queue every few seconds; {@code ms} since 1970 */
    public Optional<StoredFile> queueLengths() {
        return store.find("queue_lengths.csv");
    }

    /** @return the tries that a search made within this run, as {@code experiment.json} has them; else none */
    public List<Json> tries() throws IOException {
        Optional<StoredFile> file = store.find("experiment.json");
        if (file.isEmpty()) {
            return List.of();
        }
        try (InputStream in = file.get().openBuffered()) {
            return Json.read(in).at("tries").elements();
        }
    }

    /** @return what happened in the run, in order of time */
    public List<RunEvent> events() throws IOException {
        return RunEvent.in(store.find("events.csv"));
    }

    /** @return when the clients were to start [ms since 1970]; empty where the run does not tell */
    public OptionalLong loadStartMs() throws IOException {
        Json start = environment().at("load_starts_ms");
        return start.isMissing() ? OptionalLong.empty() : OptionalLong.of(Math.round(start.numberOr(0)));
    }

    /** @return the interval histograms */
    public List<StoredFile> histograms() {
        return named(name -> name.endsWith(".hlog"));
    }

    /** @return the settings of each JVM by its name, as far as they were kept */
    public Map<String, Map<String, String>> settings() throws IOException {
        Map<String, Map<String, String>> settings = new TreeMap<>();
        for (StoredFile file : named("config.properties"::equals)) {
            Properties properties = new Properties();
            try (InputStreamReader in = new InputStreamReader(file.open(), StandardCharsets.UTF_8)) {
                properties.load(in);
            }
            Map<String, String> plain = new TreeMap<>();
            properties.forEach((key, value) -> plain.put(key.toString(), value.toString()));
            settings.put(Place.of(file.name(), "").jvm(), plain);
        }
        for (Json machine : environment().at("machines").elements()) {
            for (Json jvm : machine.at("jvms").elements()) {
                settings.put(jvm.at("name").text().orElse(""), new Json(jvm.at("settings").value()).leaves());
            }
        }
        return settings;
    }

    /**
     * @return what the run was set to, by name: the paths of its definition such as {@code brokers.0.settings.workers};
     *     where that was not kept, the settings of its JVMs, with {@code brokers} and {@code clients} counted
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

    private List<Samples> samples(Predicate<String> name, List<String> columns) throws IOException {
        List<Samples> samples = new ArrayList<>();
        for (StoredFile file : named(name)) {
            samples.add(Samples.read(file, Place.of(file.name(), ""), columns));
        }
        return samples;
    }

    private List<StoredFile> named(Predicate<String> name) {
        return store.files().stream().filter(file -> name.test(file.plainName())).toList();
    }

    private static Json json(StoredFile file) throws IOException {
        try (InputStream in = file.openBuffered()) {
            return Json.read(in);
        } catch (JsonProcessingException e) {
            throw new IOException(file.name() + " is not JSON: " + e.getOriginalMessage());
        }
    }
}
