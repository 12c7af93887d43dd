package ch.ethz.mlmq.calibration;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;

/**
 * Times what a commit waits for: a write of 8 KB into a file that has its length already, and the flush of its data to
 * the disk ({@code fdatasync}).
 */
public final class DiskFlush {
    private static final int BLOCK = 8 << 10;
    private static final int BLOCKS = 64;
    private static final int WARM_UP = 3;

    private DiskFlush() {
    }

    /**
     * Writes to a file of its own, which it deletes.
     *
     * @param most   repetitions
     * @param atMost time after which no repetition begins
     */
    public static Times measure(Path folder, int most, Duration atMost) throws IOException {
        Path file = Files.createTempFile(folder, "calibration", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            for (int i = 0; i < BLOCKS; i++) {
                write(channel, i);
            }
            channel.force(true);
            for (int i = 0; i < WARM_UP; i++) {
                flush(channel, i);
            }
            long[] nanos = new long[most];
            long start = System.nanoTime();
            int done = 0;
            do {
                nanos[done] = flush(channel, done);
                done++;
            } while (done < most && System.nanoTime() - start < atMost.toNanos());
            return new Times(Arrays.copyOf(nanos, done));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static long flush(FileChannel channel, int number) throws IOException {
        long begun = System.nanoTime();
        write(channel, number % BLOCKS);
        channel.force(false);
        return System.nanoTime() - begun;
    }

    private static void write(FileChannel channel, int block) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
        bytes.put(0, (byte) System.nanoTime());
        long position = (long) block * BLOCK;
        while (bytes.hasRemaining()) {
            channel.write(bytes, position + bytes.position());
        }
    }
}
