package ch.ethz.mlmq.log_analyzer.profile;

/** Writes stacks as lines {@code thread;caller;called weight}, which programs for flame graphs read. */
public final class Folded {
    private Folded() {
    }

    public static String of(CallTree tree) {
        StringBuilder lines = new StringBuilder();
        tree.root().called().forEach(thread -> add(lines, thread, thread.frame().fullName()));
        return lines.toString();
    }

    private static void add(StringBuilder lines, CallTree.Node node, String path) {
        if (node.samples() > 0) {
            lines.append(path).append(' ').append(Math.round(node.weight())).append('\n');
        }
        node.called().forEach(called -> add(lines, called, path + ";" + called.frame().fullName()));
    }
}
