package ch.ethz.mlmq.log_analyzer.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What requests cost beside their time: {@code %} of the starts that were late, of all processors' time on machines of
 * that kind ({@code cpu} where brokers and clients share them), of the time in which JVMs of that role collected
 * garbage; {@code B/s} of all machines together; {@code us} of processor time that the fixed piece of work took, mean
 * of the machines: more where their processors were slower.
 */
public enum Resource {
    LATE("late", Set.of()),
    CPU("cpu", Set.of("broker", "client")),
    CPU_BROKERS("cpu_brokers", Set.of("broker")),
    CPU_CLIENTS("cpu_clients", Set.of("client")),
    CPU_DATABASE("cpu_database", Set.of()),
    PAUSES_BROKERS("gc_brokers", Set.of("broker")),
    PAUSES_CLIENTS("gc_clients", Set.of("client")),
    DISK_WRITTEN("disk_written", Set.of()),
    FIXED_WORK("fixed_work", Set.of());

    static final List<Resource> PROCESSORS = List.of(CPU, CPU_BROKERS, CPU_CLIENTS, CPU_DATABASE);
    static final List<Resource> PAUSES = List.of(PAUSES_BROKERS, PAUSES_CLIENTS);

    private final String words;
    private final Set<String> roles;

    Resource(String words, Set<String> roles) {
        this.words = words;
        this.roles = roles;
    }

    /** @return as it is written, such as {@code cpu_brokers} */
    public String words() {
        return words;
    }

    static Resource named(String words) {
        return Arrays.stream(values()).filter(each -> each.words.equals(words)).findFirst().orElseThrow();
    }

    /** @return whether it is about machines, or JVMs, of exactly these roles */
    boolean isOf(Set<String> others) {
        return roles.equals(others);
    }
}
