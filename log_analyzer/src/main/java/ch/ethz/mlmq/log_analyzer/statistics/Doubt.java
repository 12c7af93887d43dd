package ch.ethz.mlmq.log_analyzer.statistics;

/** Reasons for a missing interval. */
public enum Doubt {
    NONE(""), FEW("too few observations"), CORRELATED("still correlated"),
    FAILED("among requests that failed"), NOT_DRAINED("not drained by the end"),
    NOT_RECOVERED("still above those of the first phase at the end"),
    NOTHING_BEHIND("a load needs a phase before and one behind the phase that disturbs it"),
    NOT_COUNTED("a client JVM did not count its messages in each second"),
    NOT_TOGETHER("the client JVMs did not begin the phases of their load together"),
    NOT_FOLLOWED("no phase of the load follows the one with the highest backlog"),
    NOT_LOGGED("what never started or never arrived is in no log"),
    CLOCKS_NOT_COMPARED("the clocks of the clients' machines were not compared"),
    CLOCKS_INEXACT("the clocks of the clients' machines are known less exactly than this time");

    private final String words;

    Doubt(String words) {
        this.words = words;
    }

    /** @return such as {@code too few observations}; empty if there is an interval */
    public String words() {
        return words;
    }
}
