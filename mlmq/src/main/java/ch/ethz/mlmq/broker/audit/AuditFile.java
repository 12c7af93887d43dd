package ch.ethz.mlmq.broker.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file of lines, which begins again when it is full; the last full ones are kept. Used by one thread. */
final class AuditFile {
    /** Full files that are kept, named {@code FILE.1} (the latest), {@code FILE.2} and so on. */
    static final int KEPT = 4;

    private final Path path;
    private final long maxBytes;
    private OutputStream out;
    private long bytes;

    /** @param maxBytes of one file; a line is not divided */
    AuditFile(Path path, long maxBytes) {
        this.path = path;
        this.maxBytes = maxBytes;
    }

    /** Writes a line. If this fails, a part of it may be in the file, on a line of its own. */
    void write(String line) throws IOException {
        byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
        if (out == null) {
            open();
        }
        if (bytes > 0 && bytes + text.length > maxBytes) {
            close();
            rotate();
            open();
        }
        out.write(text);
        bytes += text.length;
    }

    private void open() throws IOException {
        Files.createDirectories(path.toAbsolutePath().getParent());
        out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        bytes = Files.size(path);
        if (bytes > 0 && lastByte() != '\n') {
            // A full disk or the end of the process has torn the last line.
            out.write('\n');
            bytes++;
        }
    }

    private int lastByte() throws IOException {
        try (SeekableByteChannel file = Files.newByteChannel(path)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return file.position(bytes - 1).read(last) == 1 ? last.get(0) : -1;
        }
    }

    private void rotate() throws IOException {
        for (int number = KEPT - 1; number > 0; number--) {
            if (Files.exists(full(number))) {
                Files.move(full(number), full(number + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(path, full(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private Path full(int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    void close() throws IOException {
        OutputStream open = out;
        out = null;
        if (open != null) {
            open.close();
        }
    }
}
