package ch.ethz.mlmq.log_analyzer.profile;

import ch.ethz.mlmq.log_analyzer.source.LogStore;
import ch.ethz.mlmq.log_analyzer.source.Place;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The recordings of Java Flight Recorder in a run. */
final class Recordings {
    private static final long MOST_BYTES = 256L << 20;
    private static final String FROM_START_TO_END = "profile.jfr";

    // These are offsets in the head of a chunk, as jdk.jfr.internal.consumer.ChunkHeader reads it.
    private static final int SIZE_OFFSET = 8;
    private static final int METADATA_OFFSET = 24;
    private static final int STATE_OFFSET = 64;
    private static final byte COMPLETE = 0;

    /** Reads a file; recordings can only be read from a file. */
    @FunctionalInterface
    interface Reader {
        void read(Path file) throws IOException;
    }

    private Recordings() {
    }

    /**
     * @return non-empty recordings by JVM: the one from start to end; without it, because the JVM was killed or
     * recorded only for a while, all that there are
     */
    static Map<Place, List<StoredFile>> in(LogStore store) {
        Map<String, List<StoredFile>> byJvm = new TreeMap<>();
        Map<String, Place> places = new TreeMap<>();
        for (StoredFile file : store.files()) {
            if (file.plainName().endsWith(".jfr") && file.size() > 0) {
                Place place = placeOf(file);
                places.put(place.jvm(), place);
                byJvm.computeIfAbsent(place.jvm(), jvm -> new ArrayList<>()).add(file);
            }
        }
        Map<Place, List<StoredFile>> recordings = new TreeMap<>(
                java.util.Comparator.comparing(Place::role).thenComparingInt(Place::position));
        byJvm.forEach((jvm, files) -> {
            List<StoredFile> whole = files.stream().filter(file -> file.plainName().equals(FROM_START_TO_END)).toList();
            recordings.put(places.get(jvm), whole.isEmpty() ? files : whole);
        });
        return recordings;
    }

    private static Place placeOf(StoredFile file) {
        String folder = file.name().substring(0, file.name().lastIndexOf('/') + 1);
        return Place.of(folder + "-", "");
    }

    /** @param reader gets a temporary copy */
    static void read(StoredFile recording, Reader reader) throws IOException {
        if (recording.size() > MOST_BYTES) {
            throw new IOException("it is larger than " + (MOST_BYTES >> 20) + " MB");
        }
        Path copy = Files.createTempFile("recording", ".jfr");
        try {
            try (InputStream in = recording.open(); OutputStream out = Files.newOutputStream(copy)) {
                copy(in, out);
            }
            complete(copy);
            reader.read(copy);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /**
     * Repairs the last chunk of a killed JVM, which is marked as unfinished, so that the JDK's reader would wait for
     * its end. The events up to the size in its head are readable, if the JVM has already written their types.
     */
    private static void complete(Path copy) throws IOException {
        try (FileChannel file = FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer head = ByteBuffer.allocate(STATE_OFFSET + 1);
            long chunk = 0;
            long size = head.capacity();
            while (size >= head.capacity() && file.read(head.clear(), chunk) == head.capacity()) {
                if (head.getLong(METADATA_OFFSET) == 0) {
                    throw new IOException("its JVM ended before it had written the kinds of its events");
                }
                size = head.getLong(SIZE_OFFSET);
                if (head.get(STATE_OFFSET) != COMPLETE) {
                    file.write(ByteBuffer.wrap(new byte[] {COMPLETE}), chunk + STATE_OFFSET);
                    file.truncate(Math.max(chunk + size, chunk + head.capacity()));
                    return;
                }
                chunk += size;
            }
        }
    }

    /** Copies with a limit, because a zip's information about sizes may be wrong. */
    private static void copy(InputStream in, OutputStream out) throws IOException {
        byte[] piece = new byte[1 << 16];
        long bytes = 0;
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
            bytes += read;
            if (bytes > MOST_BYTES) {
                throw new IOException("it is larger than " + (MOST_BYTES >> 20) + " MB");
            }
            out.write(piece, 0, read);
        }
    }
}
