package ch.ethz.mlmq.log_analyzer.run;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rates of a run's client JVMs over time, from settings and commands. */
final class ToldRates {
    /** The level of a rate that changes, is paused, or is unknown. */
    private static final String NONE = "";
    /** Matches a command; a ramp contains a "to" of its own. */
    private static final Pattern COMMAND = Pattern.compile(
            "(rate .+|pause|resume) to ([^:]+): .*|(rate .+|pause|resume)", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,5}");
    private static final String GROUP = "clients.";
    private static final String RATE = "rate ";

    private final Run run;
    private final Map<String, OfJvm> jvms = new TreeMap<>();
    private boolean told;

    private ToldRates(Run run) {
        this.run = run;
    }

    /**
     * @param clients names of the client JVMs
     * @param startMs start of their load [ms since 1970]
     * @return the level from each time on; empty while it changes. Empty map if no rate has phases or commands
     */
    static TreeMap<Long, String> of(Run run, Collection<String> clients, long startMs) throws IOException {
        ToldRates rates = new ToldRates(run);
        Map<String, Map<String, String>> settings = run.settings();
        clients.forEach(jvm -> rates.begin(jvm, settings.get(jvm), startMs));
        for (RunEvent event : run.events()) {
            Matcher command = COMMAND.matcher(event.message());
            if (event.name().equals("command") && command.matches()) {
                String words = command.group(1) == null ? command.group(3) : command.group(1);
                rates.tell(words, rates.those(command.group(2), event.jvm()), event.ms());
            }
        }
        return rates.told ? rates.together() : new TreeMap<>();
    }

    /** Sets the first level: a closed load has no rate; one with unknown settings may have one. */
    private void begin(String jvm, Map<String, String> settings, long ms) {
        String rate = settings == null ? "unknown" : settings.getOrDefault("client.rate", "");
        if (!rate.isBlank()) {
            boolean ofClient = settings != null && settings.getOrDefault("client.rate.of", "").equals("client");
            String clients = ofClient ? settings.getOrDefault("client.clients", "") : "";
            double times = NUMBER.matcher(clients).matches() ? Double.parseDouble(clients) : 1;
            OfJvm levels = new OfJvm();
            Optional<RatePlan> plan = RatePlan.of(rate);
            told |= plan.filter(RatePlan::hasPhases).isPresent();
            levels.change(ms, plan.map(known -> known.times(times)));
            jvms.put(jvm, levels);
        }
    }

    /** @return the JVMs that executed a command: one, those of a list, of a group, or all */
    private Set<String> those(String target, String jvm) throws IOException {
        if (!jvm.isEmpty()) {
            return Set.of(jvm);
        }
        if (target == null || target.equals("all") || target.equals("clients")) {
            return jvms.keySet();
        }
        return target.startsWith(GROUP) ? ofGroup(target.substring(GROUP.length()))
                : Arrays.stream(target.split(", ")).collect(Collectors.toSet());
    }

    /** JVMs are counted over all groups of clients, in the order of the definition. */
    private Set<String> ofGroup(String wanted) throws IOException {
        Set<String> names = new HashSet<>();
        int position = 0;
        int group = 0;
        for (Json each : run.definition().at("clients").elements()) {
            int size = (int) (each.at("machines").numberOr(1) * each.at("jvms").numberOr(1));
            for (int i = 0; i < size && position < 1024; i++, position++) {
                if (Integer.toString(group).equals(wanted)) {
                    names.add("client_" + position);
                }
            }
            group++;
        }
        return names.isEmpty() ? jvms.keySet() : names;
    }

    private void tell(String command, Set<String> whom, long ms) {
        told |= command.startsWith(RATE);
        for (Map.Entry<String, OfJvm> jvm : jvms.entrySet()) {
            if (!whom.contains(jvm.getKey())) {
                continue;
            }
            switch (command) {
                case "pause" -> jvm.getValue().pause(ms);
                case "resume" -> jvm.getValue().resume(ms);
                default -> jvm.getValue().change(ms, RatePlan.ofCommand(command.substring(RATE.length())));
            }
        }
    }

    /** Joins levels of JVMs; if they differ, the level names each with its number of JVMs. */
    private TreeMap<Long, String> together() {
        TreeSet<Long> times = new TreeSet<>();
        jvms.values().forEach(jvm -> times.addAll(jvm.levels.keySet()));
        TreeMap<Long, String> together = new TreeMap<>();
        for (long ms : times) {
            Map<String, Long> now = jvms.values().stream().map(jvm -> jvm.at(ms))
                    .collect(Collectors.groupingBy(level -> level, TreeMap::new, Collectors.counting()));
            String level = together(now);
            if (together.isEmpty() || !together.lastEntry().getValue().equals(level)) {
                together.put(ms, level);
            }
        }
        return together;
    }

    /** @param now number of JVMs at each level @return their common level, or all of them; none if one has none */
    private static String together(Map<String, Long> now) {
        if (now.containsKey(NONE)) {
            return NONE;
        }
        return now.size() == 1 ? now.keySet().iterator().next() : now.entrySet().stream()
                .map(each -> each.getValue() + " x " + each.getKey()).collect(Collectors.joining(", "));
    }

    /** The levels of one JVM, each until the next. */
    private static final class OfJvm {
        private final TreeMap<Long, String> levels = new TreeMap<>();
        private Optional<String> paused = Optional.empty();

        void change(long ms, Optional<RatePlan> plan) {
            levels.tailMap(ms).clear();
            if (paused.isPresent()) {
                paused = Optional.of(plan.map(RatePlan::parts).filter(parts -> parts.size() == 1)
                        .map(parts -> parts.get(0).level()).orElse(NONE));
                return;
            }
            levels.put(ms, NONE);
            double begin = ms;
            for (RatePlan.Part part : plan.map(RatePlan::parts).orElse(List.of())) {
                levels.put(Math.round(begin), part.level());
                begin += part.ms();
            }
        }

        /** Records a pause: an interrupted ramp continues later, so its level is unknown until the next command. */
        void pause(long ms) {
            if (paused.isEmpty()) {
                paused = Optional.of(levels.higherKey(ms) == null ? at(ms) : NONE);
                levels.tailMap(ms).clear();
                levels.put(ms, NONE);
            }
        }

        void resume(long ms) {
            paused.ifPresent(level -> levels.put(ms, level));
            paused = Optional.empty();
        }

        String at(long ms) {
            return levels.floorEntry(ms) == null ? NONE : levels.floorEntry(ms).getValue();
        }
    }
}
