package ch.ethz.mlmq.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that docs/reference/protocol.md agrees with the library. */
class ProtocolPageTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?s)### (\\d+) (\\w+)\n(?:(?!###).)*?```\n(.*?)\n```");
    private static final Pattern STATUS = Pattern.compile("\\| `([A-Z_]+)` \\| (\\d+) \\|");

    private final FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);
    private final String page = page();

    @Test
    void shouldShowEveryFrameUnderItsNumberAndNameWithBytesThatAreOne() throws Exception {
        Map<Integer, String> shown = new TreeMap<>();
        Matcher example = EXAMPLE.matcher(page);
        while (example.find()) {
            shown.put(Integer.parseInt(example.group(1)), example.group(2));
            byte[] bytes = HexFormat.of().parseHex(example.group(3).replaceAll("\\s", ""));
            assertThat(reader.next(ByteBuffer.wrap(bytes))).as(example.group(2)).isTrue();
            assertThat(reader.type().code()).isEqualTo(Integer.parseInt(example.group(1)));
            assertThat(encodedAgain(bytes.length)).isEqualTo(bytes);
        }
        assertThat(shown).isEqualTo(Arrays.stream(FrameType.values())
                .collect(Collectors.toMap(FrameType::code, FrameType::label)));
    }

    @Test
    void shouldListEveryStatusABrokerSends() {
        Map<String, Integer> shown = new TreeMap<>();
        Matcher status = STATUS.matcher(page);
        while (status.find()) {
            shown.put(status.group(1), Integer.parseInt(status.group(2)));
        }
        assertThat(shown).isEqualTo(Arrays.stream(Status.values())
                .filter(one -> one.isOnWire() && one != Status.OK)
                .collect(Collectors.toMap(Enum::name, Status::code)));
    }

    private byte[] encodedAgain(int length) throws ProtocolException {
        ByteBuffer frame = ByteBuffer.allocate(length);
        if (reader.type().isRequest()) {
            RequestCodec.encode(RequestCodec.decode(reader), reader.correlationId(), frame);
        } else {
            ResponseCodec.encode(ResponseCodec.decode(reader), reader.correlationId(), frame);
        }
        return frame.array();
    }

    private static String page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/reference/protocol.md"))) {
            folder = folder.getParent();
        }
        try {
            return Files.readString(folder.resolve("docs/reference/protocol.md"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
