package ch.ethz.mlmq.driver.jms;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilteredMessage;
import ch.ethz.mlmq.protocol.MessageProperties;
import java.util.SplittableRandom;
import javax.jms.JMSException;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.filter.MessageEvaluationContext;
import org.apache.activemq.selector.SelectorParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters of MLMQ beside selectors of ActiveMQ, for the same messages. */
class SelectorsTest {
    private static final long SEED = 20_101_105L;
    private static final String[] TEXTS = {"", "x", "xy", "x_y", "yxy", "it's"};
    private static final String[] PATTERNS = {"%", "x%", "%y", "_", "x_y", "%x%", "x!_y", "%y%y"};
    private static final String[] SIGNS = {"=", "<>", "<", "<=", ">", ">="};

    private final SplittableRandom random = new SplittableRandom(SEED);

    /** Texts t0, t1, integers i0, i1, reals r0, r1, truths b0, b1. Each message lacks some, but i0 and r0. */
    @Test
    void shouldAgreeWithActiveMqOnTenThousandRandomFilters() throws Exception {
        int taken = 0;
        for (int i = 0; i < 10_000; i++) {
            String selector = condition(3);
            MessageProperties properties = properties();
            boolean takes = takes(selector, properties);

            assertThat(takes).as("%s for %s", selector, properties).isEqualTo(activeMqTakes(selector, properties));
            taken += takes ? 1 : 0;
        }
        assertThat(taken).isBetween(1_000, 9_000);
    }

    /** Each line has a filter, whether MLMQ takes a message with t0 = 'x' and i0 = 7, and whether ActiveMQ does. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            // JMS: a comparison of unlike types is false. ActiveMQ takes <> for the opposite of =.
            "i0 <> 'x' | false | true",
            "t0 NOT BETWEEN 1 AND 2 | false | false",
            // As in Java and SQL, an integer divided by an integer is one. ActiveMQ makes it a real.
            "i0 / 2 = 3 | true | false",
            "i0 / 2 = 3.5 | false | true",
            "NOT (missing = 1 AND FALSE) | true | true",
            "NOT (missing = 1 OR i0 = 8) | false | false",
            // An unknown value makes a comparison unknown on both sides. ActiveMQ: false if it is on the right.
            "NOT (1 = missing + 1) | false | true",
            "NOT (missing = 1) | false | false",
            // Zero is zero. ActiveMQ puts the negative zero of reals before it.
            "0 <= -1 * 0.0 | true | false",
            // JMS has no operator for texts.
            "t0 + 'y' = 'xy' | refused | true",
            // An unknown value is in no list, and not in none.
            "missing NOT IN ('a') | false | false",
            // JMS has lists of texts only.
            "i0 IN (7, 8) | true | refused",
            // A name of JMS is a property like any other; MLMQ's own is $priority.
            "JMSPriority = 4 | false | true",
            "$priority = 5 | true | false"})
    void shouldDifferFromActiveMqWhereThatIsMeant(String selector, String here, String there) {
        MessageProperties properties = MessageProperties.NONE.with("t0", "x").with("i0", 7);

        assertThat(outcome(() -> takes(selector, properties))).isEqualTo(here);
        assertThat(outcome(() -> activeMqTakes(selector, properties))).isEqualTo(there);
    }

    private interface Evaluation {
        boolean takes() throws Exception;
    }

    private static String outcome(Evaluation evaluation) {
        try {
            return String.valueOf(evaluation.takes());
        } catch (Exception e) {
            return "refused";
        }
    }

    private static boolean takes(String selector, MessageProperties properties) throws Exception {
        return Filter.parse(selector).takes(new FilteredMessage(properties, 5, 0));
    }

    private static boolean activeMqTakes(String selector, MessageProperties properties) throws Exception {
        ActiveMQMessage message = new ActiveMQMessage();
        properties.asMap().forEach((name, value) -> {
            try {
                message.setObjectProperty(name, value);
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
        message.setJMSPriority(4);
        MessageEvaluationContext context = new MessageEvaluationContext();
        context.setMessageReference(message);
        return SelectorParser.parse(selector).matches(context);
    }

    private MessageProperties properties() {
        MessageProperties properties = MessageProperties.NONE;
        for (int i = 0; i < 2; i++) {
            properties = random.nextInt(5) == 0 ? properties : properties.with("t" + i, text());
            properties = i > 0 && random.nextInt(5) == 0 ? properties
                    : properties.with("i" + i, random.nextLong(-3, 4));
            properties = i > 0 && random.nextInt(5) == 0 ? properties
                    : properties.with("r" + i, random.nextInt(-6, 7) / 2.0);
            properties = random.nextInt(5) == 0 ? properties : properties.with("b" + i, random.nextBoolean());
        }
        return properties;
    }

    private String condition(int depth) {
        return switch (random.nextInt(depth == 0 ? 1 : 4)) {
            case 0 -> predicate();
            case 3 -> "NOT (" + condition(depth - 1) + ")";
            case 1 -> "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
            default -> "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
        };
    }

    private String predicate() {
        String not = random.nextBoolean() ? " NOT" : "";
        return switch (random.nextInt(9)) {
            case 0 -> number(2) + " " + sign(6) + " " + number(2);
            case 1 -> number(1) + not + " BETWEEN " + number(1) + " AND " + number(1);
            case 2 -> name('t') + " " + sign(2) + " '" + text().replace("'", "''") + "'";
            case 3 -> name('t') + not + " LIKE '" + PATTERNS[random.nextInt(PATTERNS.length)] + "' ESCAPE '!'";
            case 4 -> name('t') + not + " IN ('x', '" + text().replace("'", "''") + "')";
            case 5 -> name("tirb".charAt(random.nextInt(4))) + " IS" + not + " NULL";
            case 7 -> "i1 " + sign(6) + " " + random.nextInt(-3, 4);
            case 6 -> name('b') + " = " + (random.nextBoolean() ? "TRUE" : "FALSE");
            default -> "NOT (" + number(1) + " " + sign(6) + " " + number(1) + ")";
        };
    }

    /** Divides by reals only, as ActiveMQ knows no other division. */
    private String number(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> String.valueOf(random.nextInt(-3, 4));
            case 1 -> String.valueOf(random.nextInt(-6, 7) / 2.0);
            case 2 -> "i0";
            case 3 -> "r0";
            case 4 -> "(" + number(depth - 1) + " / " + random.nextInt(1, 4) + ".0)";
            case 5 -> "(i0 * " + random.nextInt(-3, 4) + ")";
            default -> "(" + number(depth - 1) + (random.nextBoolean() ? " + " : " - ") + number(depth - 1) + ")";
        };
    }

    private String sign(int of) {
        return SIGNS[random.nextInt(of)];
    }

    private String name(char kind) {
        return kind + String.valueOf(random.nextInt(2));
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }
}
