package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one connection does within the protocol takes nothing from the others. */
@Timeout(120)
class OneConnectionTest {
    private static final int DONE_BYTES = 12;
    private static final int FRAMES = 16_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    /** A cancel that walked over all that its connection has asked held up the I/O thread for seconds. */
    @Test
    void shouldServeOthersWhileAConnectionCancelsWhatItNeverAsked() throws Exception {
        Client neighbour = BROKERS.registered(StorageKind.MEMORY);
        int queue = BROKERS.queue(neighbour);
        try (RawClient pest = connect(StorageKind.MEMORY)) {
            park(pest, StorageKind.MEMORY, MessageQuery.queue(queue).waiting(60_000), 5_000);

            assertThat(longestMillis(neighbour, pest, frames(new Request.Cancel(1_000_000)), DONE_BYTES))
                    .as("longest time that an echo of another connection took [ms]").isLessThan(1_000);
        }
    }

    /** The same held for a confirmation that walked over all that was sent to its connection. */
    @Test
    void shouldServeOthersWhileAConnectionConfirmsWhatItNeverGot() throws Exception {
        Client neighbour = BROKERS.registered(StorageKind.MEMORY);
        int queue = BROKERS.queue(neighbour);
        try (RawClient pest = connect(StorageKind.MEMORY)) {
            for (int i = 0; i < 4_096; i++) {
                neighbour.sendMessage(queue, new byte[0], 5);
                pest.ask(new Request.DequeueMessage(MessageQuery.queue(queue)));
            }

            assertThat(longestMillis(neighbour, pest, frames(new Request.Received()), 0))
                    .as("longest time that an echo of another connection took [ms]").isLessThan(1_000);
        }
    }

    private static RawClient connect(StorageKind storage) throws Exception {
        RawClient client = new RawClient(BROKERS.address(storage));
        client.hello(Features.ALL);
        client.register(BROKERS.name("pest"));
        return client;
    }

    private static void park(RawClient pest, StorageKind storage, MessageQuery query, int count) throws Exception {
        long before = BROKERS.gauge(BROKERS.address(storage), "waiting");
        for (int i = 0; i < count; i += 500) {
            for (int j = 0; j < 500; j++) {
                pest.send(new Request.DequeueMessage(query));
            }
            long wanted = before + i + 250;
            BROKERS.until(wanted + " wait", () -> BROKERS.gauge(BROKERS.address(storage), "waiting") >= wanted);
        }
    }

    private static byte[] frames(Request request) {
        int bytes = RequestCodec.frameBytes(request);
        ByteBuffer frames = ByteBuffer.allocate(FRAMES * bytes);
        for (int i = 0; i < FRAMES; i++) {
            RequestCodec.encode(request, 2_000_000 + i, frames);
        }
        return frames.array();
    }

    private static long longestMillis(Client neighbour, RawClient pest, byte[] frames, int answerBytes)
            throws Exception {
        Thread writer = new Thread(() -> {
            try {
                while (!Thread.interrupted()) {
                    pest.send(frames);
                }
            } catch (IOException e) {
                // It is closed.
            }
        });
        Thread reader = new Thread(() -> {
            try {
                while (answerBytes > 0 && !Thread.interrupted()) {
                    pest.skip(answerBytes);
                }
            } catch (IOException e) {
                // It is closed.
            }
        });
        writer.setDaemon(true);
        reader.setDaemon(true);
        writer.start();
        reader.start();
        long longest = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(8);
        while (System.nanoTime() - end < 0) {
            long start = System.nanoTime();
            neighbour.echo(new byte[1]);
            longest = Math.max(longest, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        }
        return longest;
    }
}
