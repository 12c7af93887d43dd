package ch.ethz.mlmq.scenario.workload;

import ch.ethz.mlmq.config.Grammar;

/**
 * The clients' preference among the public queues.
 *
 * @param exponent of Zipf's law; 0 if all queues are equally likely
 */
public record QueueChoice(double exponent) {
    private static final String ZIPF = "zipf";
    private static final double STEEPEST = 10;

    /** The syntax {@code random}, {@code zipf}, {@code zipf 1.2}. */
    public static final Grammar<QueueChoice> GRAMMAR = Grammar.of("random | zipf | zipf 1.2", QueueChoice::parse);

    /** @return a choice among that many queues */
    public Choice among(int queues) {
        return Choice.zipf(queues, exponent);
    }

    private static QueueChoice parse(String text) {
        if (text.equals("random")) {
            return new QueueChoice(0);
        }
        if (text.equals(ZIPF)) {
            return new QueueChoice(1);
        }
        Grammar.require(text.startsWith(ZIPF + " "), "must be random, zipf or zipf and an exponent");
        return new QueueChoice(Grammar.decimal(0, STEEPEST).parse(text.substring(ZIPF.length() + 1).strip()));
    }
}
