package ch.ethz.mlmq.log;

import java.nio.charset.StandardCharsets;

/** The measured action of a line of the performance log. Records refer to shared instances. */
public final class Action {
    private final String name;
    private final byte[] bytes;

    private Action(String name) {
        this.name = name;
        this.bytes = name.getBytes(StandardCharsets.UTF_8);
    }

    /** @param name such as {@code BQueue} or {@code CSndReq#OK#sendMessage}; without semicolons and line ends */
    public static Action named(String name) {
        if (name.indexOf(';') >= 0 || name.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("an action has no semicolon and no line end: " + name);
        }
        return new Action(name);
    }

    public String name() {
        return name;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return name;
    }
}
