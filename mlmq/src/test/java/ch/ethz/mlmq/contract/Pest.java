package ch.ethz.mlmq.contract;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.wire.FrameFuzzer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * Opens connections that are valid and harmful: they announce frames that never come, hold back a frame's end, do not
 * read responses, or fall silent. It keeps a few dozen of them open, and closes the oldest without a goodbye.
 */
final class Pest {
    private static final int OPEN = 48;
    private static final int NAMES = 1_000;
    private static final int PIPELINED = 200;

    private final String name;
    private final InetSocketAddress address;
    private final SplittableRandom random;
    private final int frames;
    private final Deque<SocketChannel> open = new ArrayDeque<>();
    private final Attacker.Tally tally = new Attacker.Tally();
    private final ByteBuffer out = ByteBuffer.allocate(Limits.DEFAULT_PAYLOAD_BYTES + 1_024);

    /** The fault of a connection. */
    private enum Kind {
        ANNOUNCES, WITHHOLDS, DOES_NOT_READ, IS_SILENT
    }

    /** @param name begins the names of the clients it registers */
    Pest(String name, String address, long seed, int frames) {
        this.name = name;
        this.address = new InetSocketAddress(address.substring(0, address.lastIndexOf(':')),
                Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
        this.random = new SplittableRandom(seed);
        this.frames = frames;
    }

    Attacker.Tally tally() {
        return tally;
    }

    /** Sends as many frames, begun ones among them, as it was made for. */
    Attacker.Tally attack() throws IOException {
        try {
            while (tally.frames() < frames) {
                connect();
                if (open.size() > OPEN) {
                    open.poll().close();
                }
            }
            return tally;
        } finally {
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
    }

    private void connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 8_192);
        // Ports of thousands of connections are to be free again at once.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.connect(address);
        open.add(channel);
        tally.connected();
        out.clear();
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        if (random.nextInt(4) > 0) {
            put(new Request.Hello(1, Features.ALL, "pest"));
            put(new Request.Register(name + random.nextInt(NAMES)));
        }
        switch (kind) {
            case ANNOUNCES -> {
                out.putInt(random.nextInt(8, Limits.DEFAULT_PAYLOAD_BYTES));
                tally.sent();
            }
            case WITHHOLDS -> {
                int payload = random.nextInt(1 << 12, Limits.DEFAULT_PAYLOAD_BYTES);
                out.putInt(payload).putInt(20).putInt(9).position(out.position() + payload - 9);
                tally.sent();
            }
            case DOES_NOT_READ -> {
                byte[] content = new byte[random.nextInt(Limits.DEFAULT_CONTENT_BYTES)];
                for (int i = 0; i < PIPELINED && tally.frames() < frames; i++) {
                    put(new Request.Echo(content));
                }
            }
            default -> put(new Request.DequeueMessage(MessageQuery.any().waiting(60_000)));
        }
        write(channel, kind == Kind.WITHHOLDS);
    }

    private void put(Request request) {
        if (tally.frames() < frames) {
            out.put(FrameFuzzer.encode(request, 5));
            tally.sent();
        }
    }

    /** All of it, or as much as the broker takes at once. */
    private void write(SocketChannel channel, boolean all) {
        out.flip();
        try {
            channel.configureBlocking(all);
            channel.write(out);
        } catch (IOException e) {
            // The broker may close the connection.
            tally.refused();
        }
    }
}
