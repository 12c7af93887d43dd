package ch.ethz.mlmq.scenario.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.scenario.pacing.ClientSteps;
import ch.ethz.mlmq.scenario.pacing.LoadPlan;
import ch.ethz.mlmq.scenario.pacing.Pace;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.workload.MessageSizes;
import ch.ethz.mlmq.scenario.workload.OperationMix;
import ch.ethz.mlmq.scenario.workload.OperationMix.Operation;
import ch.ethz.mlmq.scenario.workload.Priorities;
import ch.ethz.mlmq.scenario.workload.QueueChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadGrammarsTest {
    @Test
    void shouldReadRates() {
        Grammar<Pace> grammar = LoadGrammars.pace();

        assertThat(grammar.parse("")).isEqualTo(new Pace.Closed());
        assertThat(grammar.parse("100/s")).isEqualTo(new Pace.Open(new RatePlan.Constant(100)));
        assertThat(grammar.parse("100/s to 2000/s over 10 min"))
                .isEqualTo(new Pace.Open(new RatePlan.Ramp(100, 2_000, 600)));
        assertRefused(grammar, "0/s", "0", "-1/s", "100", "1/s to 0/s over 1s", "1/s to 2/s over 0s", "fast");
    }

    @Test
    void shouldReadEverySpellingOfARateAsTheLogAnalyzerDoes() throws Exception {
        for (String line : Files.readAllLines(Path.of("src", "test", "resources", "rates.csv"))) {
            String[] cells = line.split(";");
            if (line.endsWith(";refused")) {
                assertRefused(LoadGrammars.pace(), cells[0]);
            } else if (!line.startsWith("#")) {
                assertThat(LoadGrammars.pace().parse(cells[0])).as(line).isEqualTo(new Pace.Open(plan(cells)));
            }
        }
    }

    private static RatePlan plan(String... cells) {
        if (cells[1].equals("phases")) {
            List<RatePlan.Phases.Part> parts = new ArrayList<>();
            for (int i = 2; i < cells.length; i += 2) {
                parts.add(new RatePlan.Phases.Part(Double.parseDouble(cells[i]), i + 1 == cells.length
                        ? Double.POSITIVE_INFINITY : Double.parseDouble(cells[i + 1])));
            }
            return new RatePlan.Phases(parts);
        }
        double[] numbers = Stream.of(cells).skip(1).mapToDouble(Double::parseDouble).toArray();
        return numbers[2] == 0 ? new RatePlan.Constant(numbers[0])
                : new RatePlan.Ramp(numbers[0], numbers[1], numbers[2]);
    }

    @Test
    void shouldReadThinkTimes() {
        Grammar<ThinkTime> grammar = LoadGrammars.thinkTime();

        assertThat(grammar.parse("0")).isEqualTo(new ThinkTime.Fixed(0));
        assertThat(grammar.parse("10ms")).isEqualTo(new ThinkTime.Fixed(10_000_000));
        assertThat(grammar.parse("exponential 1 s")).isEqualTo(new ThinkTime.Exponential(1_000_000_000));
        assertThat(grammar.parse("uniform 5us..15us")).isEqualTo(new ThinkTime.Uniform(5_000, 15_000));
        assertRefused(grammar, "", "10", "uniform 5ms", "uniform 15ms..5ms", "2h", "normal 3ms");
    }

    @Test
    void shouldReadMessageSizes() {
        Grammar<MessageSizes> grammar = LoadGrammars.messageSizes(2_000);

        assertThat(grammar.parse("100")).isEqualTo(new MessageSizes.Fixed(100));
        assertThat(grammar.parse("10..1000")).isEqualTo(new MessageSizes.Uniform(10, 1_000));
        assertThat(grammar.parse("10, 100,2000")).isEqualTo(new MessageSizes.OneOf(List.of(10, 100, 2_000)));
        assertThat(grammar.parse("zipf 10..1000")).isEqualTo(new MessageSizes.Zipf(10, 1_000));
        assertThat(grammar.parse("90% 100, 9.5 % 10..20,0.5% zipf 100..1000")).isEqualTo(new MessageSizes.Mixed(
                List.of(90.0, 9.5, 0.5), List.of(new MessageSizes.Fixed(100), new MessageSizes.Uniform(10, 20),
                new MessageSizes.Zipf(100, 1_000))));
        assertRefused(grammar, "", "9", "2001", "10..2001", "1000..10", "10,,20", "many", "99999999999", "zipf 10",
                "zipf 0..10", "80% 100, 10% 1000", "90% 100, 1000", "90% 100, 10% 9", "100% 100,", "-10% 10, 110% 20");
    }

    @Test
    void shouldReadSteps() {
        Grammar<ClientSteps> grammar = LoadGrammars.steps(1_000);

        assertThat(grammar.parse("")).isEqualTo(ClientSteps.NONE);
        assertThat(grammar.parse("+20 clients every 2 min up to 450")).isEqualTo(new ClientSteps(20, 120_000, 450));
        assertThat(grammar.parse("+2 every 1min up to 100")).isEqualTo(new ClientSteps(2, 60_000, 100));
        assertRefused(grammar, "20 every 2min up to 450", "+20 every 2min", "+20 every 2min up to 1001",
                "+20 every 0s up to 50", "+0 every 1s up to 5",
                "+20 every 1s up to 5");
    }

    @Test
    void shouldReadThePartsOfALoad() {
        Grammar<LoadPlan> grammar = LoadGrammars.load();

        assertThat(grammar.parse("")).isEqualTo(LoadPlan.NONE);
        assertThat(grammar.parse("before: 1min; big spike: 500ms 800/s; none: 1s 0/s; drain: until 5min 1/s paused"))
                .isEqualTo(new LoadPlan(List.of(
                        new LoadPlan.Part("before", 60_000_000_000L, false, Optional.empty(), false, false),
                        new LoadPlan.Part("big spike", 500_000_000L, false,
                                Optional.of(new RatePlan.Constant(800)), false, false),
                        new LoadPlan.Part("none", 1_000_000_000L, false, Optional.empty(), true, false),
                        new LoadPlan.Part("drain", 300_000_000_000L, true, Optional.of(new RatePlan.Constant(1)),
                                false, true))));
        assertThat(grammar.parse("up: 1min 1/s to 5/s over 30s").parts().get(0).rate())
                .contains(new RatePlan.Ramp(1, 5, 30));
        assertRefused(grammar, "before", "1min", "before: 1min;", "before: 1min 800", "before: paused", ": 1min",
                "a: 1min paused 1/s", "a: 0s", "a: 1s 1/s for 2s");
    }

    @Test
    void shouldReadPriorities() {
        Grammar<Priorities> grammar = LoadGrammars.priorities();

        assertThat(grammar.parse("5")).isEqualTo(new Priorities(5, 5));
        assertThat(grammar.parse("1..10")).isEqualTo(new Priorities(1, 10));
        assertRefused(grammar, "0", "11", "5..3", "", "high");
    }

    @Test
    void shouldReadQueueChoices() {
        assertThat(QueueChoice.GRAMMAR.parse("random")).isEqualTo(new QueueChoice(0));
        assertThat(QueueChoice.GRAMMAR.parse("zipf")).isEqualTo(new QueueChoice(1));
        assertThat(QueueChoice.GRAMMAR.parse("zipf 1.2")).isEqualTo(new QueueChoice(1.2));
        assertRefused(QueueChoice.GRAMMAR, "", "zipf -1", "zipf x", "zipfy");
    }

    @Test
    void shouldReadMixes() {
        OperationMix mix = OperationMix.GRAMMAR.parse("send:50, dequeue:49.5, peek:0");

        assertThat(mix.has(Operation.SEND)).isTrue();
        assertThat(mix.has(Operation.PEEK)).isFalse();
        assertThat(mix.has(Operation.ECHO)).isFalse();
        assertRefused(OperationMix.GRAMMAR, "", "send", "send:x", "send:1,send:2", "sned:1", "send:0", "send:-1");
    }

    @Test
    void shouldReadStarts() {
        assertThat(StartAt.GRAMMAR.parse("ready")).isEqualTo(new StartAt.Ready());
        assertThat(StartAt.GRAMMAR.parse("command")).isEqualTo(new StartAt.Command());
        assertThat(StartAt.GRAMMAR.parse("1383684920571")).isEqualTo(new StartAt.Instant(1_383_684_920_571L));
        assertRefused(StartAt.GRAMMAR, "", "now", "-1", "99999999999999999999");
    }

    private static void assertRefused(Grammar<?> grammar, String... texts) {
        for (String text : texts) {
            assertThatThrownBy(() -> grammar.parse(text)).as("'%s'", text).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
