package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.Map;
import java.util.Optional;

/** Which events of a run charts mark, and how: {@code vocabulary/events.yml}. */
public final class MarkKinds {
    public static final String DEATH = "death";
    private static final Map<String, Object> FILE = Vocabulary.read("events.yml");
    private static final Map<String, Object> KINDS = Figure.members(FILE.get("marks"));

    private MarkKinds() {
    }

    /** @return the kind of mark for an event of this name; empty where charts do not mark it */
    public static Optional<String> of(String event) {
        return Optional.ofNullable(KINDS.get(event)).map(Object::toString);
    }

    /** @return marks that one chart has at most */
    public static int most() {
        return (int) FILE.get("most");
    }
}
