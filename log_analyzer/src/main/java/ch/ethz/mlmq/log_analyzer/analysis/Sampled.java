package ch.ethz.mlmq.log_analyzer.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Figures that are sampled once a second. {@code SENT} and {@code RECEIVED} are messages a second of all clients, and
 * {@code EMPTY_TAKES} are {@code %} of their takes. {@code BACKLOG} is the highest number of messages sent and not yet
 * received, {@code DRAIN} the time [us] that a load with phases took until it was low again, and {@code RECOVERY} until
 * response times were as before. From {@code COPIES} to {@code FIRST_MAX} they are of topics, see {@link TopicFigures}.
 * The others are costs of requests beside their time: they are {@code %} of the starts that were late; the mean
 * number of requests that were sent and not answered yet, by the clients' summaries; {@code %} of the
 * processors' time, mean of the machines of one kind ({@code cpu} if brokers and clients share them); and of the time
 * in which JVMs of one role collected garbage. {@code MEMORY} and {@code NETWORK} are {@code %} of the memory of a
 * machine, and of the throughput that its network test found, on the machine with the highest share. {@code B/s} are
 * of all machines together. {@code us} are the processor time of the fixed piece of work, mean of the machines; slower
 * processors need more.
 */
public enum Sampled {
    SENT("sent", Set.of()),
    RECEIVED("received", Set.of()),
    EMPTY_TAKES("empty_takes", Set.of()),
    BACKLOG("backlog", Set.of()),
    DRAIN("drain", Set.of()),
    RECOVERY("recovery", Set.of()),
    COPIES("copies", Set.of()),
    LOST("lost", Set.of()),
    SUBSCRIBE_RATE("subscribe_rate", Set.of()),
    SUBSCRIBE_P50("subscribe_p50", Set.of()),
    SUBSCRIBE_P99("subscribe_p99", Set.of()),
    FIRST_P50("first_p50", Set.of()),
    FIRST_P99("first_p99", Set.of()),
    FIRST_MAX("first_max", Set.of()),
    LATE("late", Set.of()),
    UNDER_WAY("under_way", Set.of()),
    CPU("cpu", Set.of("broker", "client")),
    CPU_BROKERS("cpu_brokers", Set.of("broker")),
    CPU_CLIENTS("cpu_clients", Set.of("client")),
    CPU_DATABASE("cpu_database", Set.of()),
    PAUSES_BROKERS("gc_brokers", Set.of("broker")),
    PAUSES_CLIENTS("gc_clients", Set.of("client")),
    DISK_WRITTEN("disk_written", Set.of()),
    MEMORY("memory", Set.of()),
    NETWORK("network", Set.of()),
    FIXED_WORK("fixed_work", Set.of());

    static final List<Sampled> PROCESSORS = List.of(CPU, CPU_BROKERS, CPU_CLIENTS, CPU_DATABASE);
    static final List<Sampled> PAUSES = List.of(PAUSES_BROKERS, PAUSES_CLIENTS);

    private final String words;
    private final Set<String> roles;

    Sampled(String words, Set<String> roles) {
        this.words = words;
        this.roles = roles;
    }

    /** @return its name, such as {@code cpu_brokers} */
    public String words() {
        return words;
    }

    static Sampled named(String words) {
        return Arrays.stream(values()).filter(each -> each.words.equals(words)).findFirst().orElseThrow();
    }

    /** @return true if it is about machines, or JVMs, of exactly these roles */
    boolean isOf(Set<String> others) {
        return roles.equals(others);
    }
}
