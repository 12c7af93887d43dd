package ch.ethz.mlmq.filter;

/**
 * A token of a filter.
 *
 * @param text  a word of the language in capitals, a sign, a name, the digits of a number, or the content of a string
 * @param column of its first character, from 1
 */
record Token(Kind kind, String text, int column) {

    enum Kind { WORD, NAME, STRING, INTEGER, REAL, SIGN, END }

    boolean is(String wanted) {
        return (kind == Kind.WORD || kind == Kind.SIGN) && text.equals(wanted);
    }

    /** @return it for people */
    String shown() {
        return switch (kind) {
            case END -> "the end";
            case STRING -> "a string";
            default -> text;
        };
    }
}
