package ch.ethz.mlmq.log_analyzer.profile;

import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Stacks as nested bars: callers above, width is the share. Static SVG without script; in a page it takes its colours
 * from there, alone it brings its own.
 */
public final class FlameGraph {
    private static final int ROW = 20;
    private static final int WIDTH = 1200;
    private static final double NARROWEST = 0.1;
    private static final double NARROWEST_WITH_NAME = 1.5;
    private static final int MOST_BARS = 3000;
    private static final double PER_CENT = 100;
    private static final double SLIGHT = 0.5;
    private static final double MUCH = 3;
    private static final List<String> JDK = List.of("java.", "jdk.", "sun.");
    private static final String STYLE = """
            <style>
            svg{font:12px system-ui,sans-serif;background:#fff}rect{fill:#f0d9b5;stroke:#fff}text{fill:#1b1b1b}
            .own rect{fill:#f3b37a}.jdk rect{fill:#c9d7ea}.thread rect{fill:#dcdcdc}
            .same rect{fill:#e2e2e2}.up1 rect{fill:#f6c7bd}.up2 rect{fill:#ec8e7c}
            .down1 rect{fill:#bcd9f2}.down2 rect{fill:#7fb6e4}
            @media(prefers-color-scheme:dark){svg{background:#16181b}rect{fill:#5a4a30;stroke:#16181b}text{fill:#f0f0f0}
            .own rect{fill:#7a4a1c}.jdk rect{fill:#33455e}.thread rect{fill:#444}
            .same rect{fill:#444}.up1 rect{fill:#6b352c}.up2 rect{fill:#96382a}
            .down1 rect{fill:#28455e}.down2 rect{fill:#1f5f94}}
            </style>
            """;

    private record Bar(CallTree.Node node, CallTree.Node before, double from, int depth) {
    }

    private final CallTree tree;
    private final CallTree baseline;
    private final String title;

    /** @param baseline for the colours of bars; null if there is none */
    public FlameGraph(CallTree tree, CallTree baseline, String title) {
        this.tree = tree;
        this.baseline = baseline;
        this.title = title;
    }

    /** @param alone true if it is a file of its own */
    public String svg(boolean alone) {
        double whole = tree.root().whole();
        double wholeBefore = baseline == null ? 0 : baseline.root().whole();
        StringBuilder bars = new StringBuilder();
        Deque<Bar> left = new ArrayDeque<>();
        int deepest = 0;
        int count = 0;
        if (whole > 0) {
            left.add(new Bar(tree.root(), baseline == null ? null : baseline.root(), 0, 0));
        }
        while (!left.isEmpty() && count++ < MOST_BARS) {
            Bar bar = left.poll();
            double share = bar.node().whole() / whole * PER_CENT;
            double before = wholeBefore > 0 && bar.before() != null ? bar.before().whole() / wholeBefore * PER_CENT : 0;
            write(bars, bar, share, before);
            deepest = Math.max(deepest, bar.depth());
            double from = bar.from();
            for (CallTree.Node called : bar.node().called()) {
                double width = called.whole() / whole * PER_CENT;
                if (width >= NARROWEST) {
                    left.add(new Bar(called, bar.before() == null ? null : bar.before().called(called.frame()), from,
                            bar.depth() + 1));
                }
                from += width;
            }
        }
        int height = (deepest + 1) * ROW;
        String open = alone
                ? "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + height
                + "\" role=\"img\">\n"
                : "<svg class=\"flame\" width=\"100%\" height=\"" + height + "\" role=\"img\">\n";
        return open + "<title>" + escaped(title) + "</title>\n" + (alone ? STYLE : "") + bars + "</svg>\n";
    }

    private void write(StringBuilder out, Bar bar, double share, double before) {
        Frame frame = bar.node().frame();
        String change = baseline == null ? "" : ", was " + Figures.rounded(before, 1) + " %";
        out.append("<svg x=\"").append(Figures.rounded(bar.from(), 3)).append("%\" y=\"").append(bar.depth() * ROW)
                .append("\" width=\"").append(Figures.rounded(share, 3)).append("%\" height=\"").append(ROW)
                .append("\" class=\"").append(baseline == null ? kind(frame) : change(share - before))
                .append("\"><title>")
                .append(escaped(frame.fullName())).append(": ").append(Figures.rounded(share, 1)).append(" %")
                .append(change).append("</title><rect width=\"100%\" height=\"100%\"/>");
        if (share >= NARROWEST_WITH_NAME) {
            out.append("<text x=\"4\" y=\"14\">").append(escaped(frame.shortName())).append("</text>");
        }
        out.append("</svg>\n");
    }

    private static String kind(Frame frame) {
        String type = frame.type();
        if (type.isEmpty()) {
            return "thread";
        }
        if (type.startsWith("ch.ethz.")) {
            return "own";
        }
        return JDK.stream().anyMatch(type::startsWith) ? "jdk" : "library";
    }

    private static String change(double points) {
        String size = Math.abs(points) >= MUCH ? "2" : "1";
        return Math.abs(points) < SLIGHT ? "same" : (points > 0 ? "up" : "down") + size;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
