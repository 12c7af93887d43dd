package ch.ethz.mlmq.filter;

/** A text is no filter. The message says where, counted in characters from 1, and what was expected there. */
public final class FilterException extends Exception {
    private static final long serialVersionUID = 1;

    FilterException(int column, String what) {
        super("column " + column + ": " + what);
    }

    FilterException(String what) {
        super(what);
    }
}
