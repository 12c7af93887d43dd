package ch.ethz.mlmq.log_analyzer.profile;

import java.util.function.Function;

/** The rows of a table of shares. */
public enum Granularity {
    METHOD(Frame::fullName), CLASS(Frame::type), PACKAGE(Frame::packageName);

    private final Function<Frame, String> name;

    Granularity(Function<Frame, String> name) {
        this.name = name;
    }

    String nameOf(Frame frame) {
        return name.apply(frame);
    }
}
