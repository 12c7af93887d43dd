package ch.ethz.mlmq.log_analyzer.source;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * One file of a {@link LogStore}.
 *
 * @param name   path inside the store, with slashes
 * @param size   bytes as stored
 * @param onDisk where it lies, if it is a plain file that can be read from any position
 * @param raw    opens the bytes as stored
 */
public record StoredFile(String name, long size, Optional<Path> onDisk, Opener raw) {
    /** Bytes of a file that is read as a whole: more than one of a line a second has after days. */
    static final int LONGEST = 64 << 20;
    private static final int BUFFER = 1 << 16;

    /** Opens a stream; each call a new one, from any thread. */
    @FunctionalInterface
    public interface Opener {
        InputStream open() throws IOException;
    }

    /** @return the content, decompressed where the name ends in {@code .gz} */
    public InputStream open() throws IOException {
        InputStream in = raw.open();
        return isGzip() ? new GZIPInputStream(in, BUFFER) : in;
    }

    /** @return the content for a reader that takes small pieces, up to the length of a file that is read as a whole */
    public InputStream openBuffered() throws IOException {
        return new BufferedInputStream(new Beginning(open(), LONGEST));
    }

    /** @return the content up to its last newline: what a killed JVM left of a line is none */
    public InputStream openWholeLines() throws IOException {
        byte[] content = readWhole();
        int end = content.length;
        while (end > 0 && content[end - 1] != '\n') {
            end--;
        }
        return new ByteArrayInputStream(content, 0, end);
    }

    /** @return the content of a file that is no log; a longer one than any that is meant to be read so is refused */
    private byte[] readWhole() throws IOException {
        try (InputStream in = open()) {
            byte[] content = in.readNBytes(LONGEST + 1);
            if (content.length > LONGEST) {
                throw new DataException(name + " is longer than the " + LONGEST
                        + " bytes that are read of such a file.");
            }
            return content;
        }
    }

    public boolean isGzip() {
        return name.endsWith(".gz");
    }

    /** @return name without folders and without {@code .gz} */
    public String plainName() {
        String base = name.substring(name.lastIndexOf('/') + 1);
        return isGzip() ? base.substring(0, base.length() - ".gz".length()) : base;
    }
}
