package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.config.Units;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a time such as {@code 10s} to milliseconds. */
final class Millis implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        try {
            return Math.toIntExact(Units.duration(text).toMillis());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TypeConversionException("\"" + text + "\" is not a time; write one such as 250ms, 10s or 2min");
        }
    }
}
