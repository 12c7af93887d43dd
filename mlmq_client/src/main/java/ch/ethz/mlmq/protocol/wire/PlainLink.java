package ch.ethz.mlmq.protocol.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Bytes as they are. */
public final class PlainLink implements ByteLink {
    private final SocketChannel channel;
    private long writtenBytes;

    public PlainLink(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public long write(ByteBuffer... from) throws IOException {
        long count = from.length == 1 ? channel.write(from[0]) : channel.write(from);
        writtenBytes += count;
        return count;
    }

    @Override
    public boolean wantsToWrite(boolean more) {
        return more;
    }

    @Override
    public boolean asksForWrite() {
        return false;
    }

    /** The end of the connection is an event of its own. */
    @Override
    public boolean hasEnded() {
        return false;
    }

    @Override
    public long writtenBytes() {
        return writtenBytes;
    }

    @Override
    public int heldBytes() {
        return 0;
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }
}
