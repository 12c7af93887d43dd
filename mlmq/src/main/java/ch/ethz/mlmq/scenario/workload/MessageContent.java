package ch.ethz.mlmq.scenario.workload;

import ch.ethz.mlmq.config.Grammar;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;

/** The bytes of a load's messages behind their head. It depends on them how far a server can compress a message. */
public final class MessageContent {
    /** Farther than PostgreSQL or a library of the network looks back for a repetition [bytes]. */
    private static final int LENGTH = 1 << 17;
    /** More of a file is not read [bytes]. */
    private static final int LONGEST_FILE = 1 << 24;
    private static final int SEED = 20131129;
    private static final String FILE = "file:";

    /** Words that PostgreSQL compresses about as far as English. */
    public static final MessageContent TEXT = new MessageContent(MadeUpText.of(LENGTH));
    /** Bytes that nothing can compress. */
    public static final MessageContent RANDOM = new MessageContent(random());
    /** Bytes of value 0, which shrink to almost nothing. */
    public static final MessageContent ZEROS = new MessageContent(new byte[LENGTH]);

    private static final Map<String, MessageContent> KINDS = Map.of("text", TEXT, "random", RANDOM, "zeros", ZEROS);

    /** {@code text}, {@code random}, {@code zeros}, or the content of a file: {@code file:orders.json}. */
    public static final Grammar<MessageContent> GRAMMAR = Grammar.of("text|random|zeros|file:PATH", text -> {
        MessageContent known = KINDS.get(text);
        Grammar.require(known != null || text.startsWith(FILE), "must be one of text, random, zeros, file:PATH");
        return known != null ? known : of(Path.of(text.substring(FILE.length())));
    });

    private final byte[] bytes;

    private MessageContent(byte[] bytes) {
        this.bytes = bytes;
    }

    private static MessageContent of(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] read = in.readNBytes(LONGEST_FILE);
            Grammar.require(read.length > 0, "the file is empty");
            return new MessageContent(read);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file cannot be read (" + e + ")", e);
        }
    }

    /**
     * Writes content up to the end.
     *
     * @param content of a message
     * @param from    first byte to write
     * @param id      of the message; the part of the prepared bytes that it gets depends on it
     */
    void fill(byte[] content, int from, long id) {
        int offset = (int) ((Seeds.mix(id) >>> 1) % bytes.length);
        for (int at = from; at < content.length; offset = 0) {
            int length = Math.min(bytes.length - offset, content.length - at);
            System.arraycopy(bytes, offset, content, at, length);
            at += length;
        }
    }

    private static byte[] random() {
        byte[] random = new byte[LENGTH];
        new SplittableRandom(SEED).nextBytes(random);
        return random;
    }
}
