package ch.ethz.mlmq.log_analyzer.command.options;

import ch.ethz.mlmq.log_analyzer.table.Table;
import ch.ethz.mlmq.log_analyzer.table.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options for the format of a command's table. */
public final class TableOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "-fmt", paramLabel = "csv|json|text", description = "Output format. Default: text.")
    private TableFormat format = TableFormat.TEXT;

    @Option(names = "-out", paramLabel = "FILE", description = "File to write. Default: standard output.")
    private Path out;

    @Option(names = {"-h", "-help", "--help"}, usageHelp = true, description = "Shows this help.")
    private boolean help;

    /** @return true if a person reads it: it has fewer columns, and words for unknown values */
    public boolean isForPeople() {
        return format == TableFormat.TEXT;
    }

    /** @return takes sentences about files that cannot be read */
    public Consumer<String> complaints() {
        return spec.commandLine().getErr()::println;
    }

    /** @param remark one line for people; programs do not get it */
    public void write(Table table, String remark) throws IOException {
        String text = format.write(table);
        Output.write(isForPeople() ? text + remark + "\n" : text, out, spec.commandLine().getOut());
    }
}
