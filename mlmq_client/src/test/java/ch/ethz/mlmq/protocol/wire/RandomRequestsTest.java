package ch.ethz.mlmq.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RandomRequestsTest {
    @Test
    void shouldBeOfEveryTypeThereIs() {
        RandomRequests requests = new RandomRequests(new SplittableRandom(1));

        Set<FrameType> types = Stream.generate(requests::next).limit(10_000).map(Request::type)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FrameType.class)));

        assertThat(types).containsExactlyElementsOf(
                Arrays.stream(FrameType.values()).filter(FrameType::isRequest).toList());
    }
}
