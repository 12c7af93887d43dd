package ch.ethz.mlmq.log_analyzer.plot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Renders charts as SVG with gnuplot, in a folder that is removed when the program ends, even by Ctrl-C. */
public final class Renderer {
    private final Path folder;

    public Renderer() throws IOException {
        folder = Files.createTempDirectory("log_analyzer");
        folder.toFile().deleteOnExit();
    }

    /** @return the svg element only, with ids made unique by the chart's name, so that several fit into one page */
    public String svg(Chart chart) throws IOException {
        for (String ending : List.of(".csv", ".gp", ".svg")) {
            folder.resolve(chart.name() + ending).toFile().deleteOnExit();
        }
        run(chart.writeTo(folder));
        String svg = Files.readString(folder.resolve(chart.name() + ".svg"), StandardCharsets.UTF_8);
        return svg.substring(svg.indexOf("<svg")).replaceAll("(id=[\"']|href=[\"']#|url\\(#)", "$1" + chart.name()
                + "-");
    }

    private static void run(Path script) throws IOException {
        Process gnuplot;
        try {
            gnuplot = new ProcessBuilder("gnuplot", script.toString()).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IOException("gnuplot could not be started; on Debian: apt-get install gnuplot-nox ("
                    + e.getMessage() + ")");
        }
        String told = new String(gnuplot.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (gnuplot.waitFor() != 0) {
                throw new IOException("gnuplot failed: " + told.strip());
            }
        } catch (InterruptedException e) {
            gnuplot.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while gnuplot was drawing");
        }
    }
}
