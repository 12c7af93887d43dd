package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.plot.ChartKind;
import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Names of charts on the command line. */
final class ChartKindConverter implements ITypeConverter<ChartKind>, Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(ChartKind.values()).map(ChartKind::fileName).iterator();
    }

    @Override
    public ChartKind convert(String name) {
        return ChartKind.named(name)
                .orElseThrow(() -> new TypeConversionException("'" + name + "' is not one of " + ChartKind.names()));
    }
}
