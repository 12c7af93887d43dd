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
 * The actions of a consumer, line by line: a word, the time [ms since 1970], a message. When a method returns, its line
 * is with the operating system, and survives a kill.
 */
final class Journal {
    /** A dequeue is about to be sent. */
    static final String ASK = "ask";
    /** The dequeue found no message. */
    static final String NONE = "none";
    /** A message was received. */
    static final String GOT = "got";
    /** The message is about to be acknowledged, and may be gone from now on. */
    static final String TRY = "try";
    /** The acknowledgement was confirmed. */
    static final String ACKNOWLEDGED = "ack";

    /** How the names of published messages begin. */
    static final String PUBLISHED = "lease-published-";
    /** How the names of messages begin whose queue drops the oldest. */
    static final String DROPPED = "lease-dropped-";

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

    /** @return the name of a message, which copies of a published one do not share */
    static String name(String message, int queue) {
        return message.startsWith(PUBLISHED) ? message + "@" + queue : message;
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
