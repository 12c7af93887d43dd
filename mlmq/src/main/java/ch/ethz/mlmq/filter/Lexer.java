package ch.ethz.mlmq.filter;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.MessageProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Divides a filter into tokens, in one pass. */
final class Lexer {
    private static final String SIGNS = "()+-*/=<>,";

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String text) {
        this.text = text;
    }

    /** @return the tokens; the last one is the end */
    static List<Token> tokens(String text) throws FilterException {
        Lexer lexer = new Lexer(text);
        while (lexer.at < text.length()) {
            lexer.next();
        }
        lexer.add(Token.Kind.END, "", text.length());
        return lexer.tokens;
    }

    private void next() throws FilterException {
        char c = text.charAt(at);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            at++;
        } else if (c == '\'') {
            string();
        } else if (isDigit(at) || c == '.' && isDigit(at + 1)) {
            number();
        } else if (isLetter(c) || c == '$') {
            word();
        } else if (SIGNS.indexOf(c) >= 0) {
            sign(c);
        } else {
            throw new FilterException(at + 1, "a filter has no character " + text.substring(at, at + width()));
        }
    }

    private void string() throws FilterException {
        int start = at;
        StringBuilder content = new StringBuilder();
        while (true) {
            int quote = text.indexOf('\'', at + 1);
            if (quote < 0) {
                throw new FilterException(start + 1, "the string has no end; a quote in it is written twice");
            }
            content.append(text, at + 1, quote);
            at = quote + 1;
            if (at == text.length() || text.charAt(at) != '\'') {
                add(Token.Kind.STRING, content.toString(), start);
                return;
            }
            content.append('\'');
        }
    }

    private void number() throws FilterException {
        int start = at;
        skipDigits();
        boolean real = at < text.length() && text.charAt(at) == '.';
        if (real) {
            at++;
            skipDigits();
        }
        if (hasExponent()) {
            real = true;
            at += isDigit(at + 1) ? 1 : 2;
            skipDigits();
        }
        if (at < text.length() && (isLetter(text.charAt(at)) || text.charAt(at) == '.')) {
            throw new FilterException(at + 1, "the end of a number was expected, not " + text.charAt(at)
                    + "; a number is 12, 1.5 or 1E3");
        }
        String number = text.substring(start, at);
        if (!real && number.length() > 1 && number.charAt(0) == '0') {
            throw new FilterException(start + 1, "a number has no zero in front, as other languages mean octal by it");
        }
        add(real ? Token.Kind.REAL : Token.Kind.INTEGER, number, start);
    }

    private boolean hasExponent() {
        return at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')
                && (isDigit(at + 1) || isDigit(at + 2) && "+-".indexOf(text.charAt(at + 1)) >= 0);
    }

    private void word() throws FilterException {
        int start = at++;
        while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(at))) {
            at++;
        }
        String word = text.substring(start, at);
        String capitals = word.toUpperCase(Locale.ROOT);
        if (MessageProperties.WORDS.contains(capitals)) {
            add(Token.Kind.WORD, capitals, start);
            return;
        }
        if (word.startsWith("$") && !word.equals(FilteredMessage.PRIORITY) && !word.equals(FilteredMessage.CONTEXT)) {
            throw new FilterException(start + 1, "the values of a message beside its properties are "
                    + FilteredMessage.PRIORITY + " and " + FilteredMessage.CONTEXT + ", and not " + word);
        }
        if (word.length() > Limits.MAX_NAME_CHARS) {
            throw new FilterException(start + 1, "a property's name has at most " + Limits.MAX_NAME_CHARS
                    + " characters");
        }
        add(Token.Kind.NAME, word, start);
    }

    private void sign(char c) {
        int start = at++;
        String two = at < text.length() ? text.substring(start, at + 1) : "";
        if (two.equals("<>") || two.equals("<=") || two.equals(">=")) {
            at++;
            add(Token.Kind.SIGN, two, start);
        } else {
            add(Token.Kind.SIGN, String.valueOf(c), start);
        }
    }

    private void add(Token.Kind kind, String content, int start) {
        tokens.add(new Token(kind, content, start + 1));
    }

    private void skipDigits() {
        while (isDigit(at)) {
            at++;
        }
    }

    private boolean isDigit(int place) {
        return place < text.length() && text.charAt(place) >= '0' && text.charAt(place) <= '9';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }

    private int width() {
        return Character.charCount(text.codePointAt(at));
    }
}
