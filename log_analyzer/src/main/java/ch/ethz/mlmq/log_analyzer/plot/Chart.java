package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.table.Table;
import ch.ethz.mlmq.log_analyzer.table.TableFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A chart: a gnuplot script and its data, which are in the same folder under the same name.
 *
 * @param name   file name without ending
 * @param data   becomes {@code name.csv}
 * @param script follows the {@link Gnuplot#preamble}
 * @param lines  of the legend beyond the usual, which make the chart higher
 */
public record Chart(String name, Table data, String script, int lines) {
    public Chart(String name, Table data, String script) {
        this(name, data, script, 0);
    }

    /** @return the same under another name */
    public Chart named(String other) {
        return new Chart(other, data, script, lines);
    }

    /** Writes {@code name.gp} and {@code name.csv} into a folder. @return the script */
    public Path writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name + ".csv"), TableFormat.CSV.write(data));
        return Files.writeString(folder.resolve(name + ".gp"), Gnuplot.preamble(name, lines) + script);
    }
}
