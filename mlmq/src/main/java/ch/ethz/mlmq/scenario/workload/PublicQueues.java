package ch.ethz.mlmq.scenario.workload;

import ch.ethz.mlmq.config.Grammar;
import java.util.stream.IntStream;

/**
 * The public queues that clients use: {@code queue3} and {@code queue4} for 3 and 4.
 *
 * @param first number of the first one, at least 1
 * @param last  number of the last one, at least {@code first}
 */
public record PublicQueues(int first, int last) {
    private static final int MOST = 10_000;
    private static final String BETWEEN = "..";

    /** The syntax {@code 10} for the queues 1 to 10, and {@code 18..19}. */
    public static final Grammar<PublicQueues> GRAMMAR = Grammar.of("1.." + MOST + " | 18..19", PublicQueues::parse);

    /** Checks the range. */
    public PublicQueues {
        Grammar.require(first >= 1 && first <= last && last <= MOST, "must be 1..%d, or a range such as 18..19", MOST);
    }

    /** @return how many queues they are */
    public int count() {
        return last - first + 1;
    }

    /** @return whether the queue of that number is one of them */
    public boolean contains(int number) {
        return first <= number && number <= last;
    }

    /** @return the numbers of the queues */
    public IntStream numbers() {
        return IntStream.rangeClosed(first, last);
    }

    private static PublicQueues parse(String text) {
        int between = text.indexOf(BETWEEN);
        return between < 0 ? new PublicQueues(1, number(text))
                : new PublicQueues(number(text.substring(0, between)),
                        number(text.substring(between + BETWEEN.length())));
    }

    private static int number(String text) {
        Grammar.require(text.matches("\\d{1,5}"), "must be 1..%d, or a range such as 18..19", MOST);
        return Integer.parseInt(text);
    }
}
