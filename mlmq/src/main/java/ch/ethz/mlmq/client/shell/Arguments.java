package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.config.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands behind a command, read as its usage says: {@code QUEUE} must be there, {@code [MAX]} may, {@code TEXT…}
 * may be repeated, {@code [--wait TIME]} is an option with a value and {@code [--mine]} one without.
 */
final class Arguments {
    private static final Pattern OPTION = Pattern.compile("\\[(--[a-z-]+)( [A-Z]+)?\\]");

    private final String usage;
    private final List<String> words = new ArrayList<>();
    private final Map<String, String> options = new LinkedHashMap<>();

    private Arguments(String usage) {
        this.usage = usage;
    }

    /** @throws UsageException where they do not fit the usage */
    static Arguments parse(String usage, List<String> given) {
        Arguments arguments = new Arguments(usage);
        Map<String, Boolean> known = optionsOf(usage);
        boolean optionsEnded = false;
        for (int i = 0; i < given.size(); i++) {
            String word = given.get(i);
            if (optionsEnded || !word.startsWith("--")) {
                arguments.words.add(word);
            } else if (word.equals("--")) {
                optionsEnded = true;
            } else if (!known.containsKey(word)) {
                throw arguments.wrong("there is no option " + word);
            } else if (!known.get(word)) {
                arguments.options.put(word, "");
            } else if (++i == given.size()) {
                throw arguments.wrong(word + " needs a value");
            } else {
                arguments.options.put(word, given.get(i));
            }
        }
        arguments.checkCount();
        return arguments;
    }

    /** @return the options a usage names, and whether each takes a value */
    static Map<String, Boolean> optionsOf(String usage) {
        Map<String, Boolean> options = new LinkedHashMap<>();
        Matcher matcher = OPTION.matcher(usage);
        while (matcher.find()) {
            options.put(matcher.group(1), matcher.group(2) != null);
        }
        return options;
    }

    int count() {
        return words.size();
    }

    String word(int index) {
        return words.get(index);
    }

    String word(int index, String otherwise) {
        return index < words.size() ? words.get(index) : otherwise;
    }

    List<String> wordsFrom(int index) {
        return words.subList(index, words.size());
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    String option(String option, String otherwise) {
        return options.getOrDefault(option, otherwise);
    }

    int number(int index) {
        return Math.toIntExact(parse(words.get(index), Integer.MAX_VALUE));
    }

    int number(int index, int otherwise) {
        return index < words.size() ? number(index) : otherwise;
    }

    long longNumber(int index) {
        return parse(words.get(index), Long.MAX_VALUE);
    }

    int number(String option, int otherwise) {
        return has(option) ? Math.toIntExact(parse(options.get(option), Integer.MAX_VALUE)) : otherwise;
    }

    long longNumber(String option, long otherwise) {
        return has(option) ? parse(options.get(option), Long.MAX_VALUE) : otherwise;
    }

    int millis(int index) {
        return millis(words.get(index));
    }

    int millis(String option, Duration otherwise) {
        return has(option) ? millis(options.get(option)) : (int) otherwise.toMillis();
    }

    UsageException wrong(String what) {
        return new UsageException(what + "; usage: " + usage);
    }

    private int millis(String text) {
        try {
            return Math.toIntExact(Units.duration(text).toMillis());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw wrong("\"" + text + "\" is no time such as 250ms, 10s or 2min");
        }
    }

    private long parse(String text, long greatest) {
        try {
            long number = Long.parseLong(text);
            if (number <= greatest && number >= -greatest) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw wrong("\"" + text + "\" is no number");
    }

    private void checkCount() {
        int required = 0;
        int allowed = 0;
        String[] parts = OPTION.matcher(usage).replaceAll("").strip().split(" +");
        for (int i = 1; i < parts.length; i++) {
            required += parts[i].startsWith("[") ? 0 : 1;
            allowed = parts[i].endsWith("…") ? Integer.MAX_VALUE : allowed + 1;
        }
        if (words.size() < required) {
            throw wrong("something is missing");
        }
        if (words.size() > allowed) {
            throw wrong("\"" + words.get(allowed) + "\" is too much (quote a text of several words)");
        }
    }
}
