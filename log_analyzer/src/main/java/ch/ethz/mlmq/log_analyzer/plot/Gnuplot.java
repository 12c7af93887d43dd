package ch.ethz.mlmq.log_analyzer.plot;

import java.util.List;

/** Common parts of all scripts: terminal, colours, frame, grid and legend. */
public final class Gnuplot {
    /** Variables of the script, see its beginning: one colour for each series. */
    public static final List<String> COLOURS =
            List.of("colour1", "colour2", "colour3", "colour4", "colour5", "colour6");
    /** The colour of context, and of the rest. */
    static final String GREY = "grey";
    /** The colour of failures. */
    static final String RED = "red";

    /** Ends a line in the data, and begins another; omitted and missing values would be joined. */
    public static final String GAP = "NaN";

    private static final int LONGEST_TITLE = 68; // characters that fit over the plot
    private static final int HEIGHT = 432;
    private static final int LINE = 21;

    private static final String PREAMBLE = """
            # gnuplot %1$s.gp                        writes %1$s.svg beside this script
            # gnuplot -e "format='png'" %1$s.gp      writes %1$s.png
            # gnuplot -e "theme='dark'" %1$s.gp      draws it for a dark page
            if (!exists("format")) format = "svg"
            if (!exists("theme")) theme = "light"
            # Colours after Okabe and Ito: told apart by colour-blind people, and in grey.
            if (theme eq "dark") {
              paper = "#1a1b1f"; ink = "#e7e8ea"; muted = "#b4b7bd"; frame = "#7d8189"; rule = "#34363c"
              grey = "#8f939a"; red = "#f2857c"
              colour1 = "#4ba6e0"; colour2 = "#f08c4a"; colour3 = "#35c39a"
              colour4 = "#dd98bd"; colour5 = "#f0b63c"; colour6 = "#93cff0"
            } else {
              paper = "#ffffff"; ink = "#1f2226"; muted = "#3a3d42"; frame = "#5c6066"; rule = "#dfe1e4"
              grey = "#8a8d91"; red = "#b3261e"
              colour1 = "#0072b2"; colour2 = "#d55e00"; colour3 = "#009e73"
              colour4 = "#cc79a7"; colour5 = "#e69f00"; colour6 = "#56b4e9"
            }
            folder = ""
            if (exists("ARG0")) {
              slash = strlen(ARG0)
              while (slash > 0 && ARG0[slash:slash] ne "/") { slash = slash - 1 }
              folder = slash > 0 ? ARG0[1:slash] : ""
            }
            data = folder . "%1$s.csv"
            if (format eq "png") {
              set terminal pngcairo size 1440,%3$d font "sans,20" linewidth 2 background paper
              titlefont = ",23"
            } else {
              set terminal svg size 720,%2$d font "sans-serif,13" background paper
              titlefont = ",15"
            }
            set output folder . "%1$s." . format
            set encoding utf8
            set datafile separator ","
            set datafile missing ""
            set border 31 linecolor rgb frame linewidth 0.7
            set xtics in mirror scale 0.6 textcolor rgb muted
            set ytics in mirror scale 0.6 textcolor rgb muted
            set grid linecolor rgb rule linewidth 0.6 linetype 1
            set title font titlefont textcolor rgb ink noenhanced
            set xlabel textcolor rgb muted noenhanced offset 0,0.6
            set ylabel textcolor rgb muted noenhanced
            set rmargin 4
            set key bmargin left Left reverse horizontal samplen 1.6 spacing 1.15 width 1 height 1.2 noenhanced \
                textcolor rgb ink
            """;

    private Gnuplot() {
    }

    /** @param lines of the legend beyond the usual */
    static String preamble(String name, int lines) {
        int height = HEIGHT + lines * LINE;
        return PREAMBLE.formatted(name, height, 2 * height);
    }

    /** @return the colour of the n-th series, from 0 */
    public static String colour(int series) {
        return COLOURS.get(series % COLOURS.size());
    }

    /** @return text in quotes, which gnuplot takes literally */
    public static String quoted(String text) {
        return "'" + text.replace("'", "''").replace("\n", " ") + "'";
    }

    /** @return the plot command of several pieces */
    public static String plot(List<String> pieces) {
        return "plot " + String.join(", \\\n  ", pieces) + "\n";
    }

    /** @param title of the picture @param x label of the axis @param y label of the other */
    public static String labels(String title, String x, String y) {
        return "set title %s%nset xlabel %s%nset ylabel %s%n".formatted(lines(title), quoted(x), quoted(y));
    }

    /** @param possible true if a value is above 0: an axis with only zeros cannot be logarithmic */
    public static String logarithmic(String axis, boolean possible) {
        return possible ? "set logscale " + axis + "\n" : "";
    }

    /** @return the title on at most two lines, cut if it is too long */
    private static String lines(String title) {
        if (title.length() <= LONGEST_TITLE) {
            return quoted(title);
        }
        int space = title.lastIndexOf(' ', LONGEST_TITLE);
        int cut = space > 0 ? space : LONGEST_TITLE;
        String rest = title.substring(cut).strip();
        return quoted(title.substring(0, cut)) + " . \"\\n\" . "
                + quoted(rest.length() <= LONGEST_TITLE ? rest : rest.substring(0, LONGEST_TITLE - 1) + "…");
    }
}
