package ch.ethz.mlmq.log_analyzer.profile;

import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;

/**
 * A method in a stack.
 *
 * @param type   its class with package, such as {@code ch.ethz.mlmq.broker.execution.Worker}; empty for a group of
 *               threads
 * @param method its name
 */
public record Frame(String type, String method) {
    private static final int LONGEST = 200;
    private static final Pattern MADE_AT_RUN_TIME =
            Pattern.compile("(\\$\\$Lambda|\\$\\$Hidden|LambdaForm\\$\\w+)\\W.*|/0x\\p{XDigit}+");

    static Frame of(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        if (method == null || method.getType() == null) {
            return new Frame("", "unknown");
        }
        return new Frame(clean(MADE_AT_RUN_TIME.matcher(method.getType().getName()).replaceAll("$1")),
                clean(method.getName()));
    }

    /** @return the text without special characters of pages, tables and terminals; recordings come from anywhere */
    static String clean(String text) {
        String known = text == null ? "unknown" : text;
        return known.substring(0, Math.min(LONGEST, known.length())).replaceAll("[\\p{Cntrl}\\p{Cs}\\p{Cf};]", "_");
    }

    /** @return class and method without package */
    public String shortName() {
        return type.isEmpty() ? method : type.substring(type.lastIndexOf('.') + 1) + "." + method;
    }

    public String fullName() {
        return type.isEmpty() ? method : type + "." + method;
    }

    public String packageName() {
        int end = type.lastIndexOf('.');
        return end < 0 ? "(no package)" : type.substring(0, end);
    }
}
