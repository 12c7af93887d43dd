package ch.ethz.mlmq.log_analyzer.command.options;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length of time on the command line: {@code 250ms 10s 2min 1h}; a number alone means seconds. */
public record TimeSpan(long ms) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|min|h)?");
    private static final Map<String, Integer> UNITS = Map.of("ms", 1, "s", 1000, "min", 60_000, "h", 3_600_000);

    /** Parses a length of time on the command line. */
    public static final class Converter implements ITypeConverter<TimeSpan> {
        @Override
        public TimeSpan convert(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                throw new TypeConversionException("'" + text
                        + "' is not a time: write one such as 250ms, 10s, 2min or 1h");
            }
            String unit = form.group(2) == null ? "s" : form.group(2);
            return new TimeSpan(Math.round(Double.parseDouble(form.group(1)) * UNITS.get(unit)));
        }
    }
}
