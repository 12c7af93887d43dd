package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.command.options.Output;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.table.Table;
import ch.ethz.mlmq.log_analyzer.table.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes a model's result as a table, or as charts if the model has some. */
final class ModelOutput {
    /** Formats of the output. */
    enum Format { TEXT, CSV, JSON, GNUPLOT }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "-fmt", paramLabel = "csv|json|gnuplot|text", description = "Output format. Default: text.")
    private Format format = Format.TEXT;

    @Option(names = "-out", paramLabel = "PATH",
            description = "File to write, or folder (gnuplot). Default: standard output; gnuplot: plots.")
    private Path out;

    @Option(names = {"-h", "-help", "--help"}, usageHelp = true, description = "Shows this help.")
    private boolean help;

    /** @return takes sentences about files that cannot be read */
    Consumer<String> complaints() {
        return spec.commandLine().getErr()::println;
    }

    boolean isDrawn() {
        return format == Format.GNUPLOT;
    }

    boolean isJson() {
        return format == Format.JSON;
    }

    /** @param json for results that are more than a table */
    void write(String json) throws IOException {
        Output.write(json, out, spec.commandLine().getOut());
    }

    /**
     * @param remarks that a reader of the prediction needs: below the table, or on standard error for other formats
     * @param charts  none if the model has nothing to draw
     */
    void write(Table table, List<String> remarks, List<Chart> charts) throws IOException {
        if (format == Format.GNUPLOT) {
            if (charts.isEmpty()) {
                throw new UsageException(spec.qualifiedName()
                        + " has no chart of this model; use -fmt csv, json or text.");
            }
            for (Chart chart : charts) {
                spec.commandLine().getOut().println(chart.writeTo(out == null ? Path.of("plots") : out));
            }
            spec.commandLine().getOut().flush();
        } else if (format == Format.TEXT) {
            String text = remarks.isEmpty() ? "" : String.join("\n", remarks) + "\n";
            Output.write(TableFormat.TEXT.write(table) + text, out, spec.commandLine().getOut());
            return;
        } else {
            TableFormat written = format == Format.CSV ? TableFormat.CSV : TableFormat.JSON;
            Output.write(written.write(table), out, spec.commandLine().getOut());
        }
        remarks.forEach(remark -> spec.commandLine().getErr().println(remark));
    }
}
