package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.MessageProperties;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Writes the fields of a frame or, without a buffer, counts their bytes. */
final class FieldWriter {
    static final int HEADER_BYTES = 12;

    private final ByteBuffer out;
    private int size;

    FieldWriter(ByteBuffer out) {
        this.out = out;
    }

    /** @return bytes of the fields so far */
    int size() {
        return size;
    }

    void int8(int value) {
        size += 1;
        if (out != null) {
            out.put((byte) value);
        }
    }

    void int32(int value) {
        size += 4;
        if (out != null) {
            out.putInt(value);
        }
    }

    void int64(long value) {
        size += 8;
        if (out != null) {
            out.putLong(value);
        }
    }

    void bool(boolean value) {
        int8(value ? 1 : 0);
    }

    void bytes(byte[] value) {
        int32(value.length);
        size += value.length;
        if (out != null) {
            out.put(value);
        }
    }

    void string(String value) {
        if (value.isEmpty()) {
            int32(0);
        } else {
            bytes(value.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Writes the properties of all messages, if one of them has any. */
    <T> void properties(List<T> messages, Function<T, MessageProperties> of) {
        boolean any = false;
        for (int i = 0; i < messages.size() && !any; i++) {
            any = !of.apply(messages.get(i)).isEmpty();
        }
        if (any) {
            int32(messages.size());
            messages.forEach(message -> bytes(of.apply(message).encoded()));
        }
    }

    void int32s(int[] values) {
        int32(values.length);
        for (int value : values) {
            int32(value);
        }
    }
}
