package ch.ethz.mlmq.scenario.jvm;

import ch.ethz.mlmq.broker.request.RequestQueue;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.json.JsonObject;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.link.Driver;
import ch.ethz.mlmq.scenario.link.Drivers;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.workload.OperationMix;
import ch.ethz.mlmq.storage.postgresql.schema.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Catalogue of these programs in JSON: versions, keys of brokers and clients, scenarios, drivers. The Testmaster reads
 * {@code config/mlmq/catalogue.json}, the catalogue of the checkout's programs.
 */
public final class Catalogue {
    private static final String EVERY = "every";

    private Catalogue() {
    }

    /** @return versions, the rule of group commit, keys, scenarios and drivers, one a line */
    public static String describe() {
        Map<String, JsonObject> keys = new LinkedHashMap<>();
        Stream.concat(BrokerKeys.ALL.stream(), ClientJvm.keys().keys().stream()).forEach(key ->
                keys.put(key.name(), key(key)));
        Map<String, JsonObject> scenarios = new LinkedHashMap<>();
        Scenarios.all().forEach(scenario -> scenarios.put(scenario.name(), scenario(scenario)));
        Map<String, JsonObject> drivers = new LinkedHashMap<>();
        Drivers.all().stream().sorted(Comparator.comparing(Driver::name)).forEach(driver ->
                drivers.put(driver.name(), driver(driver)));
        return "{\n\"versions\": " + new JsonObject().put("schema", Schema.VERSION)
                + ",\n\"group_commit\": " + new JsonObject().put("worth_a_batch", RequestQueue.WORTH_A_BATCH)
                        .put("patience_us", TimeUnit.NANOSECONDS.toMicros(RequestQueue.PATIENCE_NANOS))
                + ",\n" + section("keys", keys) + ",\n" + section("scenarios", scenarios) + ",\n"
                + section("drivers", drivers) + "\n}\n";
    }

    /** @return the operations and keys of one driver, with descriptions of its own keys */
    public static String describe(Driver driver) {
        JsonObject json = driver(driver);
        if (!driver.ownKeys().isEmpty()) {
            Map<String, JsonObject> own = new LinkedHashMap<>();
            driver.ownKeys().forEach(key -> own.put(key.name(), key(key)));
            json.put("own_keys", own);
        }
        return json + "\n";
    }

    private static JsonObject key(Key<?> key) {
        return new JsonObject().put("type", key.type().getSimpleName()).put("default", key.defaultValue())
                .put("range", key.grammar().range()).put("unit", key.unit()).put("sentence", key.description());
    }

    private static JsonObject scenario(Scenario scenario) {
        Map<String, List<String>> byWord = new LinkedHashMap<>();
        for (OperationMix.Operation operation : OperationMix.Operation.values()) {
            String word = operation.name().toLowerCase(Locale.ROOT);
            byWord.put(word, labels(scenario.operations().apply(Settings.of(ClientJvm.keys(), Map.of(
                    "common.scenario.mytype", "client", ClientKeys.MIX.name(), word + ":1")))));
        }
        Set<String> always = new HashSet<>(byWord.values().iterator().next());
        byWord.values().forEach(always::retainAll);
        byWord.values().forEach(labels -> labels.removeAll(always));
        boolean mixed = byWord.values().stream().anyMatch(labels -> !labels.isEmpty());
        JsonObject json = new JsonObject().put("description", scenario.description())
                .put("database_only", scenario.needs(Scenario.Need.DATABASE_ONLY))
                .put("pairs_own", scenario.canPairOwn(Settings.of(ClientJvm.keys(),
                        Map.of("common.scenario.mytype", "client"))))
                .put("operations", always.stream().sorted().toList());
        return mixed ? json.put("mix", byWord) : json;
    }

    private static JsonObject driver(Driver driver) {
        return new JsonObject().put("operations", labels(driver.operations()))
                .put("keys", Stream.concat(driver.keys().stream(), driver.ownKeys().stream()).map(Key::name).toList());
    }

    private static List<String> labels(Collection<FrameType> operations) {
        Stream<String> labels = operations.containsAll(EnumSet.allOf(FrameType.class)) ? Stream.of(EVERY)
                : operations.stream().map(FrameType::label).sorted();
        return labels.collect(Collectors.toCollection(ArrayList::new));
    }

    private static String section(String name, Map<String, JsonObject> members) {
        return "\"" + name + "\": {\n" + members.entrySet().stream().map(member ->
                "\"" + member.getKey() + "\": " + member.getValue()).collect(Collectors.joining(",\n")) + "\n}";
    }
}
