package ch.ethz.mlmq.log_analyzer.statistics;

/** Reasons for a missing interval. */
public enum Doubt {
    NONE(""), FEW("too few observations"), CORRELATED("still correlated"),
    FAILED("among requests that failed"), NOT_DRAINED("not drained by the end"),
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
