package ch.ethz.mlmq.log_analyzer.model.simulation;

import java.util.Arrays;

/** Several first-come, first-served lines as heads and tails. */
final class Lines {
    static final int NONE = -1;

    final int[] head;
    final int[] tail;

    Lines(int count) {
        head = new int[count];
        Arrays.fill(head, NONE);
        tail = head.clone();
    }

    boolean isEmpty(int line) {
        return head[line] == NONE;
    }

    void join(int line, int id, int[] links) {
        links[id] = NONE;
        if (tail[line] == NONE) {
            head[line] = id;
        } else {
            links[tail[line]] = id;
        }
        tail[line] = id;
    }

    int leave(int line, int[] links) {
        int id = head[line];
        head[line] = links[id];
        if (head[line] == NONE) {
            tail[line] = NONE;
        }
        return id;
    }
}
