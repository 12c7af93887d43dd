package ch.ethz.mlmq.log_analyzer.source;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.ZipException;

/** Reads the lines of a file one after the other, up to a limit of their length. */
public final class Lines {
    private static final int BUFFER = 1 << 16;

    private final int longest;
    private final Predicate<String> reader;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean overlong;
    private long skipped;

    private Lines(int longest, Predicate<String> reader) {
        this.longest = longest;
        this.reader = reader;
    }

    /**
     * Reads up to the last newline, because a killed JVM may leave a part of a line.
     *
     * @param longest bytes; longer lines are left out
     * @param reader  takes a line without its end, and returns true if it wants another
     * @return the error of the file, if there is one
     */
    public static Optional<String> read(StoredFile file, int longest, Predicate<String> reader) throws IOException {
        Lines lines = new Lines(longest, reader);
        try (InputStream in = file.open()) {
            byte[] buffer = new byte[BUFFER];
            for (int count = in.read(buffer); count >= 0 && lines.take(buffer, count); count = in.read(buffer)) {
                continue;
            }
        } catch (EOFException e) {
            return Optional.of("it is cut off");
        } catch (ZipException e) {
            return Optional.of("it is damaged (" + e.getMessage() + ")");
        }
        return lines.skipped == 0 ? Optional.empty()
                : Optional.of(lines.skipped + " lines are longer than " + longest + " bytes");
    }

    private boolean take(byte[] buffer, int count) {
        int from = 0;
        for (int i = 0; i < count; i++) {
            if (buffer[i] == '\n') {
                add(buffer, from, i);
                from = i + 1;
                if (!end()) {
                    return false;
                }
            }
        }
        add(buffer, from, count);
        return true;
    }

    private void add(byte[] buffer, int from, int to) {
        overlong |= line.size() + to - from > longest;
        if (!overlong) {
            line.write(buffer, from, to - from);
        }
    }

    private boolean end() {
        boolean more = true;
        if (overlong) {
            skipped++;
        } else {
            String text = line.toString(StandardCharsets.UTF_8);
            more = reader.test(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
        }
        line.reset();
        overlong = false;
        return more;
    }
}
