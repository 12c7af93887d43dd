package ch.ethz.mlmq.log_analyzer.command.options;

import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.kinds.Plots;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses names of plots on the command line. */
public final class PlotConverter implements ITypeConverter<Plot>, Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return Plots.all().stream().map(Plot::name).iterator();
    }

    @Override
    public Plot convert(String name) {
        return Plots.named(name)
                .orElseThrow(() -> new TypeConversionException("'" + name + "' is not one of " + Plots.names()));
    }
}
