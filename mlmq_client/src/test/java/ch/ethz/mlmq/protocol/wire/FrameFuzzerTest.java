package ch.ethz.mlmq.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Decodes 200,000 frames, each to a request or a {@link ProtocolException}, never to anything else. */
class FrameFuzzerTest {
    private static final int FRAMES = 200_000;

    @Test
    void shouldDecodeOrRefuseWhateverComes() {
        FrameFuzzer fuzzer = new FrameFuzzer(4);
        FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);
        reader.features(Features.ADDRESSED);
        Limits limits = Limits.defaults();
        Map<FrameFuzzer.Kind, int[]> outcomes = new EnumMap<>(FrameFuzzer.Kind.class);
        ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
        for (int id = 1; id <= FRAMES; id++) {
            FrameFuzzer.Frame frame = fuzzer.next(id);
            frame.pieces().forEach(buffer.clear()::put);
            int[] counts = outcomes.computeIfAbsent(frame.kind(), kind -> new int[3]);
            try {
                if (reader.next(buffer.flip())) {
                    limits.violation(RequestCodec.decode(reader));
                    counts[0]++;
                } else {
                    counts[1]++;
                }
            } catch (ProtocolException e) {
                counts[2]++;
            }
        }

        assertThat(outcomes).containsOnlyKeys(FrameFuzzer.Kind.values());
        outcomes.forEach((kind, counts) -> {
            boolean wellFormed = kind == FrameFuzzer.Kind.WELL_FORMED || kind == FrameFuzzer.Kind.SPLIT;
            assertThat(counts[1] + counts[2] == 0).as(kind + " decoded").isEqualTo(wellFormed);
        });
    }

    @Test
    void shouldMakeTheSameFramesFromTheSameSeed() {
        FrameFuzzer one = new FrameFuzzer(7);
        FrameFuzzer other = new FrameFuzzer(7);
        for (int id = 1; id < 1_000; id++) {
            assertThat(one.next(id).pieces().toArray()).isEqualTo(other.next(id).pieces().toArray());
        }
    }
}
