package ch.ethz.mlmq.log_analyzer.profile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stacks with their weights, callers above those whom they call. */
public final class CallTree {
    /** A call on one path; its weight does not include its callees. */
    public static final class Node {
        private final Frame frame;
        private final Map<Frame, Node> called = new HashMap<>(2);
        private double weight;
        private long samples;

        Node(Frame frame) {
            this.frame = frame;
        }

        public Frame frame() {
            return frame;
        }

        /** @return weight without callees */
        public double weight() {
            return weight;
        }

        public long samples() {
            return samples;
        }

        /** @return weight including callees */
        public double whole() {
            double whole = weight;
            for (Node node : called.values()) {
                whole += node.whole();
            }
            return whole;
        }

        /** @return callees by name, so that graphs of different runs are similar */
        public List<Node> called() {
            List<Node> nodes = new ArrayList<>(called.values());
            nodes.sort(Comparator.comparing(node -> node.frame.fullName()));
            return nodes;
        }

        /** @return null if it does not call that method */
        public Node called(Frame name) {
            return called.get(name);
        }
    }

    private final Node root = new Node(new Frame("", "all"));
    private double squares;

    public Node root() {
        return root;
    }

    /** @return number of samples */
    public long samples() {
        return samples(root);
    }

    /** @return the number of equal samples that is equivalent to these: Kish's effective size */
    public double worth() {
        double whole = root.whole();
        return squares > 0 ? whole * whole / squares : 0;
    }

    /**
     * @param stack the outermost first
     * @param room  number of nodes that may still be added; a stack is cut off beyond it
     * @return number of added nodes
     */
    int add(List<Frame> stack, double weight, int room) {
        Node node = root;
        int made = 0;
        for (Frame frame : stack) {
            Node next = node.called.get(frame);
            if (next == null) {
                if (made == room) {
                    break;
                }
                next = new Node(frame);
                node.called.put(frame, next);
                made++;
            }
            node = next;
        }
        node.weight += weight;
        node.samples++;
        squares += weight * weight;
        return made;
    }

    /** @param under the frame that all of the other's stacks begin with here */
    void add(CallTree other, Frame under) {
        merge(root.called.computeIfAbsent(under, Node::new), other.root);
        squares += other.squares;
    }

    private static void merge(Node into, Node from) {
        into.weight += from.weight;
        into.samples += from.samples;
        Collection<Node> called = from.called.values();
        called.forEach(node -> merge(into.called.computeIfAbsent(node.frame, Node::new), node));
    }

    private static long samples(Node node) {
        long samples = node.samples;
        for (Node called : node.called.values()) {
            samples += samples(called);
        }
        return samples;
    }
}
