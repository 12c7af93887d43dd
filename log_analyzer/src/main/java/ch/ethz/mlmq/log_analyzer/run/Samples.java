package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.Lines;
import ch.ethz.mlmq.log_analyzer.source.Place;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A file with a line of numbers a second.
 *
 * @param place   who was measured
 * @param columns names of the columns; the first is the time [ms]
 * @param rows    one number for each column, in time's order, NaN for what was not measured; a line that was cut off is
 *                left out
 */
public record Samples(Place place, List<String> columns, List<double[]> rows) {
    /** The statistics file has no header; these are its columns. */
    static final List<String> STATISTICS = List.of("ms", "sends", "dequeues_and_peeks", "requests", "socket_ns",
            "worker_ns", "persistence_ns");
    private static final int LONGEST_LINE = 1 << 14;
    private static final int MOST_COLUMNS = 256;

    /** Limit of a run's numbers in memory, because files of its machines may be longer than any run. */
    static final class Room {
        /**
         * Divisor of the heap: one number may take this part of it, so that all numbers of eight bytes take at most a
         * sixteenth.
         */
        private static final long BYTES_OF_HEAP_A_NUMBER = 128;
        private static final int OF_A_ROW = 3;
        private long left = Runtime.getRuntime().maxMemory() / BYTES_OF_HEAP_A_NUMBER;

        private boolean isFor(int columns) {
            left -= columns + OF_A_ROW;
            return left >= 0;
        }
    }

    /**
     * @param columns    names of the columns; empty if the first line tells them
     * @param complaints gets what is wrong with the file
     */
    static Samples read(StoredFile file, Place place, List<String> columns, Room room, Consumer<String> complaints)
            throws IOException {
        List<String> names = new ArrayList<>(columns);
        List<double[]> rows = new ArrayList<>();
        boolean[] full = new boolean[1];
        Lines.read(file, LONGEST_LINE, line -> {
            String[] cells = line.split(",", MOST_COLUMNS);
            if (names.isEmpty()) {
                names.addAll(List.of(cells));
            } else if (cells.length >= names.size() && numbers(cells, names.size(), rows)) {
                full[0] = !room.isFor(names.size());
            }
            return !full[0];
        }).ifPresent(complaints);
        if (full[0]) {
            complaints.accept("memory does not suffice for more than " + rows.size() + " of its lines; give java "
                    + "more heap with -Xmx");
        }
        return new Samples(place, List.copyOf(names), List.copyOf(rows));
    }

    /** @return index of the column with this name, -1 if there is none */
    public int column(String name) {
        return columns.indexOf(name);
    }

    /** @return whether it is a line of this file */
    private static boolean numbers(String[] cells, int count, List<double[]> rows) {
        double[] row = new double[count];
        for (int i = 0; i < count; i++) {
            try {
                row[i] = Double.parseDouble(cells[i]);
            } catch (NumberFormatException e) {
                // The line is malformed, whoever wrote it.
                return false;
            }
            if (Double.isInfinite(row[i]) || i == 0 && Double.isNaN(row[i])) {
                return false;
            }
        }
        rows.add(row);
        return true;
    }
}
