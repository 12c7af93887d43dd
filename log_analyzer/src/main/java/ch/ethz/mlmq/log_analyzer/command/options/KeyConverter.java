package ch.ethz.mlmq.log_analyzer.command.options;

import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses keys of a grouping on the command line. */
public final class KeyConverter implements ITypeConverter<Grouping.Key> {
    @Override
    public Grouping.Key convert(String name) {
        return Grouping.Key.named(name).orElseThrow(() -> new TypeConversionException(
                "'" + name + "' is not one of action, role, jvm, machine, status, tier"));
    }
}
