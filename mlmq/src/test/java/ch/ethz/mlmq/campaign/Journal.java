package ch.ethz.mlmq.campaign;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What a consumer did, line by line: a word, the time [ms since 1970], a message. A line is with the operating system,
 * and survives a kill, when this returns.
 */
final class Journal {
    /** A dequeue is about to be sent. */
    static final String ASK = "ask";
    /** It was answered: there is no message. */
    static final String NONE = "none";
    /** A message was received. */
    static final String GOT = "got";
    /** It is about to be acknowledged: from now on it may be gone. */
    static final String TRY = "try";
    /** Its acknowledgement was confirmed. */
    static final String ACKNOWLEDGED = "ack";

    private final OutputStream out;

    Journal(Path file) throws IOException {
        out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** @param what one of the words above */
    void note(String what, String message) {
        try {
            out.write((what + " " + System.currentTimeMillis() + " " + message + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the messages of all lines with that word */
    static List<String> read(Path file, String what) throws IOException {
        List<String> messages = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(what + " ")) {
                messages.add(line.substring(line.indexOf(' ', what.length() + 1) + 1));
            }
        }
        return messages;
    }
}
