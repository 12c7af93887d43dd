package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.Map;
import java.util.Optional;

/** Events of a run that charts mark, and their kinds of marks: {@code vocabulary/events.yml}. */
public final class MarkKinds {
    public static final String DEATH = "death";
    private static final Map<String, Object> FILE = Vocabulary.read("events.yml");
    private static final Map<String, Object> KINDS = Figure.members(FILE.get("marks"));

    private MarkKinds() {
    }

    /** @return the kind of mark for an event of this name; empty if charts do not mark it */
    public static Optional<String> of(String event) {
        return Optional.ofNullable(KINDS.get(event)).map(Object::toString);
    }

    /** @return largest number of marks in one chart */
    public static int most() {
        return (int) FILE.get("most");
    }
}
