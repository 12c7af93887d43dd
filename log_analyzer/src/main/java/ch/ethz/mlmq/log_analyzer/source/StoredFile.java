package ch.ethz.mlmq.log_analyzer.source;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * One file of a {@link LogStore}.
 *
 * @param name   path inside the store, with slashes
 * @param size   bytes as stored
 * @param onDisk its path, if it is a plain file that can be read from any position
 * @param raw    opens the bytes as stored
 */
public record StoredFile(String name, long size, Optional<Path> onDisk, Opener raw) {
    /** Limit of a file that is read as a whole: more bytes than a file with a line a second has after days. */
    static final int LONGEST = 32 << 20;
    private static final int BUFFER = 1 << 16;

    /** Opens a stream; each call a new one, from any thread. */
    @FunctionalInterface
    public interface Opener {
        InputStream open() throws IOException;
    }

    /** @return the content, decompressed if the name ends in {@code .gz} */
    public InputStream open() throws IOException {
        InputStream in = raw.open();
        return isGzip() ? new GZIPInputStream(in, BUFFER) : in;
    }

    /** @return the content for a reader that takes small pieces, up to the length of a file that is read as a whole */
    public InputStream openBuffered() throws IOException {
        return new BufferedInputStream(new Beginning(open(), LONGEST));
    }

    /**
     * @param complaints gets errors of the file
     * @return the content up to its last newline, because a killed JVM may leave a part of a line
     */
    public InputStream openWholeLines(Consumer<String> complaints) throws IOException {
        byte[] content = readWhole(complaints);
        int end = content.length;
        while (end > 0 && content[end - 1] != '\n') {
            end--;
        }
        return new ByteArrayInputStream(content, 0, end);
    }

    /** Reads a whole file, or the beginning of one that is too long. */
    private byte[] readWhole(Consumer<String> complaints) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (InputStream in = new Beginning(open(), LONGEST + 1)) {
            in.transferTo(content);
        } catch (EOFException e) {
            complaints.accept("it is cut off");
        } catch (ZipException e) {
            complaints.accept("it is damaged (" + e.getMessage() + ")");
        }
        if (content.size() > LONGEST) {
            complaints.accept("it is longer than the " + LONGEST + " bytes that are read of such a file");
        }
        return content.toByteArray();
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
