package ch.ethz.mlmq.log_analyzer.plot;

import java.util.List;

/** What all scripts share: terminal, colours, frame, grid and legend. */
final class Gnuplot {
    /** After Okabe and Ito: told apart by colour-blind people, and in grey. */
    static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9");
    /** For what is context, or left over. */
    static final String GREY = "#8a8d91";

    private static final String PREAMBLE = """
            # gnuplot %1$s.gp                        writes %1$s.svg beside this script
            # gnuplot -e "format='png'" %1$s.gp      writes %1$s.png
            if (!exists("format")) format = "svg"
            folder = ""
            if (exists("ARG0")) {
              slash = strlen(ARG0)
              while (slash > 0 && ARG0[slash:slash] ne "/") { slash = slash - 1 }
              folder = slash > 0 ? ARG0[1:slash] : ""
            }
            data = folder . "%1$s.csv"
            if (format eq "png") {
              set terminal pngcairo size 1440,864 font "sans,20" linewidth 2
              titlefont = ",23"
            } else {
              set terminal svg size 720,432 font "sans-serif,13" background "white"
              titlefont = ",15"
            }
            set output folder . "%1$s." . format
            set encoding utf8
            set datafile separator ","
            set datafile missing ""
            set border 31 linecolor rgb "#5c6066" linewidth 0.7
            set xtics in mirror scale 0.6 textcolor rgb "#3a3d42"
            set ytics in mirror scale 0.6 textcolor rgb "#3a3d42"
            set grid linecolor rgb "#dfe1e4" linewidth 0.6 linetype 1
            set title font titlefont textcolor rgb "#1f2226" noenhanced
            set xlabel textcolor rgb "#3a3d42" noenhanced offset 0,0.5
            set ylabel textcolor rgb "#3a3d42" noenhanced
            set rmargin 4
            set key bmargin left Left reverse horizontal samplen 1.6 spacing 1.15 width 1 noenhanced textcolor rgb "#1f2226"
            """;

    private Gnuplot() {
    }

    static String preamble(String name) {
        return PREAMBLE.formatted(name);
    }

    static String colour(int series) {
        return COLOURS.get(series % COLOURS.size());
    }

    /** @return text in quotes as gnuplot takes it literally */
    static String quoted(String text) {
        return "'" + text.replace("'", "''").replace("\n", " ") + "'";
    }

    /** @return the plot command of several pieces */
    static String plot(List<String> pieces) {
        return "plot " + String.join(", \\\n  ", pieces) + "\n";
    }

    static String labels(String title, String x, String y) {
        return "set title %s%nset xlabel %s%nset ylabel %s%n".formatted(quoted(title), quoted(x), quoted(y));
    }
}
