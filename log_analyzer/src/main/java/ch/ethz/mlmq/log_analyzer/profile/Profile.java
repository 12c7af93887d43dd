package ch.ethz.mlmq.log_analyzer.profile;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.source.Place;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * The time of a run's JVMs by method, from their recordings: stacks by JVM and group of threads, for the seconds in
 * which all clients were measuring. Recordings come from machines and are read as hostile input, up to limits.
 */
public final class Profile {
    private static final long MOST_EVENTS = 20_000_000;
    private static final int MOST_NODES = 400_000;
    private static final int MOST_TIERS = 30;
    private static final int DEEPEST = 256;
    private static final int LONGEST_NAME = 60; // of threads
    private static final String OTHERS = "other threads";
    private static final Pattern NUMBERS = Pattern.compile("\\d+");
    private static final Pattern LAST_NUMBER = Pattern.compile("[-_# ]*N$");

    /**
     * Threads whose names differ only in numbers, in JVMs of one role: {@code broker worker}.
     *
     * @param jvm  such as {@code broker_0}
     * @param tier name of the threads without their numbers
     */
    public record Key(String jvm, String role, String tier) {
        /** @return their common name, such as {@code broker worker} */
        public String threads() {
            return role.equals(Place.UNKNOWN) ? tier : role + " " + tier;
        }
    }

    /** Processor use and recording time of one JVM. */
    public static final class Jvm {
        private final Place place;
        private double user;
        private double system;
        private long loads;
        private long firstMs = Long.MAX_VALUE;
        private long lastMs = Long.MIN_VALUE;

        Jvm(Place place) {
            this.place = place;
        }

        public String name() {
            return place.role().equals(Place.UNKNOWN) ? "JVM" : place.jvm();
        }

        public String role() {
            return place.role();
        }

        /** @return share of the machine's processors that it used in user mode, 0..1; NaN if unknown */
        public double user() {
            return loads == 0 ? Double.NaN : user / loads;
        }

        /** @return share of the machine's processors that it used in kernel mode, 0..1; NaN if unknown */
        public double system() {
            return loads == 0 ? Double.NaN : system / loads;
        }

        /** @return time range of the events that count [ms since 1970] */
        public Optional<TimeRange> recorded() {
            return firstMs > lastMs ? Optional.empty() : Optional.of(new TimeRange(firstMs, lastMs));
        }
    }

    private final Optional<TimeRange> phase;
    private final Map<ProfileKind, Map<Key, CallTree>> trees = new EnumMap<>(ProfileKind.class);
    private final List<Jvm> jvms = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int nodes;
    private long events;

    private Profile(Optional<TimeRange> phase) {
        this.phase = phase;
        for (ProfileKind what : ProfileKind.values()) {
            trees.put(what, new TreeMap<>(java.util.Comparator.comparing(Key::role).thenComparing(Key::jvm)
                    .thenComparing(Key::tier)));
        }
    }

    /** @throws DataException if the run has no recording */
    public static Profile of(Run run) throws IOException {
        Map<Place, List<StoredFile>> recordings = Recordings.in(run.store());
        if (recordings.isEmpty()) {
            throw new DataException("There is no recording in " + run.store().name() + ". Set profile: true for a "
                    + "group, or send a JVM the command profile 10s.");
        }
        Profile profile = new Profile(run.measuringPhase());
        if (profile.phase.isEmpty()) {
            profile.notes.add("The run has no measurement interval of its clients, so the profile includes warm-up "
                    + "and cool-down.");
        }
        for (Map.Entry<Place, List<StoredFile>> recorded : recordings.entrySet()) {
            Jvm jvm = new Jvm(recorded.getKey());
            profile.jvms.add(jvm);
            for (StoredFile file : recorded.getValue()) {
                profile.read(file, jvm);
            }
        }
        if (profile.nodes >= MOST_NODES) {
            profile.notes.add("There are more than " + MOST_NODES + " different frames; further ones are counted as "
                    + "their callers.");
        }
        return profile;
    }

    public List<Jvm> jvms() {
        return List.copyOf(jvms);
    }

    /** @return remarks that a reader needs, such as on a recording that cannot be read */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** @return the seconds that count; empty if all do */
    public Optional<TimeRange> phase() {
        return phase;
    }

    /** @return all groups of threads that were seen */
    public List<Key> keys() {
        return trees.values().stream().flatMap(byKey -> byKey.keySet().stream()).distinct().toList();
    }

    /** @return their stacks, each below the name of its threads */
    public CallTree tree(ProfileKind what, Predicate<Key> wanted) {
        CallTree whole = new CallTree();
        trees.get(what).forEach((key, tree) -> {
            if (wanted.test(key)) {
                whole.add(tree, new Frame("", key.threads()));
            }
        });
        return whole;
    }

    private void read(StoredFile file, Jvm jvm) {
        try {
            Recordings.read(file, path -> readEvents(path, jvm));
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError | InternalError e) {
            // The JDK's reader does not expect damaged recordings: its exceptions concern the file, not this JVM.
            String why = e.getMessage() == null ? e.getClass().getSimpleName()
                    : e.getMessage().lines().findFirst().orElse("");
            notes.add(Frame.clean(file.name()) + " cannot be read to its end: " + Frame.clean(why));
        }
    }

    private void readEvents(Path path, Jvm jvm) throws IOException {
        try (RecordingFile recording = new RecordingFile(path)) {
            while (recording.hasMoreEvents()) {
                events++;
                if (events > MOST_EVENTS) {
                    throw new IOException("there are more than " + MOST_EVENTS + " events");
                }
                take(recording.readEvent(), jvm);
            }
        }
    }

    private void take(RecordedEvent event, Jvm jvm) {
        long ms = event.getStartTime().toEpochMilli();
        if (phase.isPresent() && !phase.get().contains(ms)) {
            return;
        }
        if (event.getEventType().getName().equals("jdk.CPULoad")) {
            jvm.user += event.getFloat("jvmUser");
            jvm.system += event.getFloat("jvmSystem");
            jvm.loads++;
        }
        jvm.firstMs = Math.min(jvm.firstMs, ms);
        jvm.lastMs = Math.max(jvm.lastMs, ms);
        ProfileKind what = ProfileKind.of(event);
        if (what == null || event.getStackTrace() == null) {
            return;
        }
        double weight = what.weight(event);
        if (weight > 0) {
            Map<Key, CallTree> byKey = trees.get(what);
            CallTree tree = byKey.computeIfAbsent(key(jvm, what.thread(event), byKey), unseen -> new CallTree());
            nodes += tree.add(stack(event), weight, MOST_NODES - nodes);
        }
    }

    private static Key key(Jvm jvm, RecordedThread thread, Map<Key, CallTree> known) {
        Key key = new Key(jvm.name(), jvm.role(), tier(thread == null ? null : thread.getJavaName()));
        boolean full = !known.containsKey(key)
                && known.keySet().stream().filter(one -> one.jvm().equals(jvm.name())).count() >= MOST_TIERS;
        return full ? new Key(jvm.name(), jvm.role(), OTHERS) : key;
    }

    private static String tier(String thread) {
        if (thread == null || thread.isBlank()) {
            return OTHERS;
        }
        String name = LAST_NUMBER.matcher(NUMBERS.matcher(Frame.clean(thread)).replaceAll("N")).replaceFirst("")
                .strip();
        return name.isEmpty() ? OTHERS : name.substring(0, Math.min(LONGEST_NAME, name.length()));
    }

    private static List<Frame> stack(RecordedEvent event) {
        List<RecordedFrame> frames = event.getStackTrace().getFrames();
        List<Frame> stack = new ArrayList<>();
        for (int i = Math.min(frames.size(), DEEPEST) - 1; i >= 0; i--) {
            stack.add(Frame.of(frames.get(i)));
        }
        return stack;
    }
}
