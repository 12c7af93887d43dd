package ch.ethz.mlmq.client.shell;

import java.util.ArrayList;
import java.util.List;

/** Splits a line into words. Quotes keep a word together; a backslash takes the next character literally. */
final class Words {
    private Words() {
    }

    /** @throws UsageException if a quote is not closed, or a backslash ends the line */
    static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\' && quote != '\'') {
                if (++i == line.length()) {
                    throw new UsageException("the line ends with a backslash; write \\\\ for a backslash");
                }
                word.append(line.charAt(i));
                begun = true;
            } else if (quote != 0 && c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
                begun = true;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (begun) {
                    words.add(word.toString());
                    word.setLength(0);
                    begun = false;
                }
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (quote != 0) {
            throw new UsageException("the quote " + quote + " has no end; close it");
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }
}
