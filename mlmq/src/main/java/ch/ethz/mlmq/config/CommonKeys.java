package ch.ethz.mlmq.config;

import java.util.List;

/** Keys that every JVM of a run has. */
public final class CommonKeys {
    /** The last JVM of a role; message ids have no bits for more. */
    public static final int MAX_POSITION = 1_023;
    public static final Key<Role> MY_TYPE = Key.required("common.scenario.mytype", Role.class,
            Grammar.oneOf(Role.class), "", "The role of this JVM.");
    public static final Key<Integer> MY_POSITION = Key.of("common.scenario.myposition", Integer.class,
            Grammar.integer(0, MAX_POSITION), "0", "", "The number of this JVM among all JVMs of its role, counted "
                    + "over all groups.");
    public static final Key<ScenarioMapping> BROKERS = Key.of("common.scenario.mapping.broker",
            ScenarioMapping.class, ScenarioMapping.GRAMMAR, "Broker#127.0.0.1:8100", "",
            "Each group of brokers has a scenario and addresses.");
    public static final Key<ScenarioMapping> CLIENTS = Key.of("common.scenario.mapping.client",
            ScenarioMapping.class, ScenarioMapping.GRAMMAR, "OneWayClient#127.0.0.1", "",
            "Each group of client JVMs has a scenario and hosts.");
    public static final Key<String> LOG_FOLDER = Key.of("common.performancelogger.logfilepath", String.class,
            Grammar.text("a folder"), "logs", "",
            "The JVM writes its performance log, statistics and gauges into this folder. It creates the folder if it "
                    + "is missing.");
    public static final Key<Integer> LOG_SAMPLE = Key.of("common.performancelogger.sample", Integer.class,
            Grammar.integer(0, 1_000_000), "1", "",
            "The log records one request in this many, at random. 1 records all, 0 none.");
    public static final Key<Integer> LOG_RING = Key.of("common.performancelogger.ring", Integer.class,
            Grammar.integer(1_024, 16_777_216), "65536", "records",
            "The buffer of the log holds this many records. A record that does not fit is dropped and counted.");
    public static final Key<String> COMMAND_FILE = Key.of("common.commandofile.path", String.class,
            Grammar.text("a file"), "command.txt", "",
            "The JVM executes a command that is written to this file, once. Empty means that it watches no file.");

    /** All of them, in the order of the templates. */
    public static final List<Key<?>> ALL = List.of(MY_TYPE, MY_POSITION, BROKERS, CLIENTS, LOG_FOLDER, LOG_SAMPLE,
            LOG_RING, COMMAND_FILE);

    private CommonKeys() {
    }
}
