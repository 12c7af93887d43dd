package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.model.BrokerCosts;
import ch.ethz.mlmq.log_analyzer.model.Layouts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests capacities and layouts with the study's parameters; expected values are those of its table 4.7, recomputed. */
class ModelCapacityTest {
    @TempDir
    private Path folder;

    private static final List<String> FIORANO = List.of("--receive", "4.10e-6", "--filter", "14.6us", "--send",
            "16.2us");
    private static final List<String> BEA = List.of("--receive", "8.0182e-5", "--filter", "5.3332e-7", "--send",
            "1.7319e-5");
    private static final List<String> ACTIVEMQ = List.of("--receive", "4.88e-5", "--filter", "1.62e-7", "--send",
            "1.54e-5");
    private static final List<String> SUNMQ = List.of("--receive", "112us", "--filter", "2.2us", "--different",
            "1.76us",
            "--send", "40.1us");

    @Test
    void shouldHaveTheStudysCapacities() {
        assertThat(received(FIORANO, "--copies", "1")).isCloseTo(675.539, within(0.001));
        assertThat(received(FIORANO, "--copies", "10")).isCloseTo(614.968, within(0.001));
        assertThat(received(BEA, "--copies", "1")).isCloseTo(6629.849, within(0.001));
        assertThat(received(BEA, "--copies", "10")).isCloseTo(3260.473, within(0.001));
        assertThat(received(ACTIVEMQ, "--copies", "1")).isCloseTo(12437.811, within(0.001));
        assertThat(received(ACTIVEMQ, "--copies", "10")).isCloseTo(4566.210, within(0.001));
        assertThat(received(SUNMQ, "--copies", "1", "--different-filters", "100")).isCloseTo(1824.484, within(0.001));
        assertThat(received(SUNMQ, "--copies", "1", "--different-filters", "10")).isCloseTo(2566.076, within(0.001));
        assertThat(received(SUNMQ, "--copies", "1", "--different-filters", "1")).isCloseTo(2674.798, within(0.001));
        assertThat(received(SUNMQ, "--copies", "10", "--different-filters", "10")).isCloseTo(1332.268, within(0.001));
        assertThat(received(List.of("--receive", "7.03e-4", "--filter", "10.2us"), "--exponent", "1.5"))
                .as("WebSphere, table 4.5").isCloseTo(91.718, within(0.001));
        assertThat(received(List.of("--receive", "7.0e-4", "--filter", "11us"), "--exponent", "1.5"))
                .as("WebSphere, rounded as in table 4.8").isCloseTo(85.470, within(0.001));
    }

    @Test
    void shouldCapWhatIsReceivedAndSent() {
        assertThat(received(ACTIVEMQ, "--copies", "40", "--overall", "50000/s"))
                .isCloseTo(50_000 / 41.0, within(0.001));
    }

    @Test
    void shouldSayWhenFiltersPay() {
        BrokerCosts fiorano = new BrokerCosts(8.52e-7, 7.02e-6, 0, 1.70e-5, 1);
        assertThat(fiorano.breakEvenShare(1)).isCloseTo(1 - 7.02 / 17.0, within(1e-9));
        assertThat(fiorano.breakEvenShare(3)).as("three filters never pay").isNegative();
        double filters = fiorano.breakEvenFilters(10);
        assertThat(fiorano.serviceTime(filters, 0, 1)).as("as long as ten copies without filters")
                .isCloseTo(fiorano.serviceTime(0, 0, 10), within(1e-15));
        Invocation result = Invocation.of("model", "capacity", "--receive", "8.52e-7", "--filter", "7.02us", "--send",
                "17us");
        assertThat(result.out()).contains("a_filter_pays_below_share").contains("0.587");
    }

    @Test
    void shouldHaveTheStudysVariationOfTheServiceTime() {
        assertThat(figure("service_time_cv", ACTIVEMQ, "--copies", "10", "--spread", "all_or_none"))
                .isCloseTo(2.11, within(0.005));
        assertThat(figure("service_time_cv", ACTIVEMQ, "--copies", "10", "--spread", "binomial"))
                .isCloseTo(0.211, within(0.0005));
        assertThat(figure("service_time_cv", ACTIVEMQ, "--copies", "10")).isZero();
    }

    @Test
    void shouldCompareLayouts() {
        BrokerCosts correlation = new BrokerCosts(8.52e-7, 7.02e-6, 0, 1.70e-5, 1);
        BrokerCosts property = new BrokerCosts(4.10e-6, 1.46e-5, 0, 1.62e-5, 1);
        assertThat(new Layouts(correlation, 0.9, 1, 10_000, 10, 1).publisherSide()).as("corrected")
                .isCloseTo(1.282, within(0.001));
        assertThat(new Layouts(property, 0.9, 1, 10_000, 10, 1).publisherSide()).isCloseTo(0.6164, within(0.0005));
        assertThat(new Layouts(property, 0.9, 1, 1_000, 10, 1).publisherSide()).isCloseTo(6.163, within(0.005));

        Layouts even = new Layouts(property, 0.9, 1, 100, 10, 1);
        Layouts there = new Layouts(property, 0.9, even.breakEvenPublishers(), 100, 10, 1);
        assertThat(there.publisherSide()).isCloseTo(there.subscriberSide(), within(1e-9 * there.subscriberSide()));
        assertThat(even.breakEvenPublishers()).isCloseTo((4.10e-6 + 1000 * 1.46e-5 + 1.62e-5) / (4.10e-6 + 10 * 1.46e-5
                + 1.62e-5),
                within(1e-9));

        List<Object> arguments = new ArrayList<>(List.of("model", "layouts", "--publishers", "50", "--subscribers",
                "100",
                "--filters", "10", "-fmt", "csv"));
        arguments.addAll(FIORANO);
        Invocation result = Invocation.of(arguments.toArray());
        assertThat(result.lines()).hasSize(3);
        double subscribers = Double.parseDouble(result.lines().get(2).split(",")[1]);
        assertThat(Double.parseDouble(result.lines().get(2).split(",")[2])).as("each message goes to all brokers")
                .isCloseTo(100 * subscribers, within(0.1));
        assertThat(result.err()).contains("With more than 87.91");
    }

    @Test
    void shouldSweepCapacitiesOverFiltersForEachNumberOfCopies() throws Exception {
        List<Object> arguments = new ArrayList<>(List.of("model", "capacity", "--filters", "1..200", "--copies",
                "1,10", "--utilisation", "1"));
        arguments.addAll(ACTIVEMQ);
        Invocation result = Invocation.of(with(arguments, "-fmt", "csv"));

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.lines()).hasSize(1 + 2 * 200);
        assertThat(result.lines().get(0)).startsWith("copies,filters,different_filters,received,sent,overall,");
        assertThat(row(result, "1,100,0,")).as("the study's table 4.7, recomputed").isCloseTo(12437.811, within(0.001));
        assertThat(row(result, "10,100,0,")).isCloseTo(4566.210, within(0.001));
        assertThat(Invocation.of(with(arguments, "-fmt", "gnuplot", "-out", folder)).out())
                .contains("capacity_received.gp").contains("capacity_overall.gp");
        assertThat(Files.readString(folder.resolve("capacity_received.csv")))
                .startsWith("filters,copies 1,copies 10\n");
    }

    @Test
    void shouldTakeAtMostAThousandStepsOfARange() {
        Invocation result = Invocation.of("model", "capacity", "--receive", "1us", "--filters", "1..100000,7", "-fmt",
                "csv");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.lines().size()).isBetween(900, 1_003);
        assertThat(result.lines().get(2)).startsWith("1,7,0,");
        assertThat(result.lines().get(3)).startsWith("1,101,0,");
    }

    @Test
    void shouldSweepLayoutsOverPublishersForEachNumberOfSubscribers() throws Exception {
        List<Object> arguments = new ArrayList<>(List.of("model", "layouts", "--publishers", "1..100",
                "--subscribers", "10,100", "--filters", "10"));
        arguments.addAll(FIORANO);
        Invocation result = Invocation.of(with(arguments, "-fmt", "csv"));

        Layouts expected = new Layouts(new BrokerCosts(4.10e-6, 1.46e-5, 0, 1.62e-5, 1), 0.9, 50, 100, 10, 1);
        String[] cells = result.lines().stream().filter(line -> line.startsWith("50,100,10,1,")).findFirst()
                .orElseThrow().split(",");
        assertThat(Double.parseDouble(cells[4])).isCloseTo(expected.publisherSide(), within(1e-3));
        assertThat(Double.parseDouble(cells[5])).isCloseTo(expected.subscriberSide(), within(1e-3));
        Invocation.of(with(arguments, "-fmt", "gnuplot", "-out", folder));
        assertThat(Files.readString(folder.resolve("layouts.csv"))).as("subscriber-side rates do not depend on either")
                .startsWith("publishers,\"at publishers, subscribers 10\",\"at publishers, subscribers 100\","
                        + "at subscribers\n");
        assertThat(folder.resolve("layouts_load.gp")).exists();
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThat(Invocation.of("model", "capacity").err()).contains("--receive");
        assertThat(Invocation.of("model", "capacity", "--receive", "0").err())
                .contains("--receive must be more than 0");
        assertThat(Invocation.of("model", "capacity", "--receive", "1us", "--utilisation", "1.2").err())
                .contains("--utilisation must");
        assertThat(Invocation.of("model", "capacity", "--receive", "1us", "--spread", "binomial").err())
                .contains("--spread needs");
        assertThat(Invocation.of("model", "capacity", "--receive", "1us", "-fmt", "gnuplot").err())
                .contains("give a range, such as --filters 1..200");
        assertThat(Invocation.of("model", "capacity", "--receive", "1us", "--filters", "9..1").err())
                .contains("--filters: '9..1' is no ascending range");
        assertThat(Invocation.of("model", "layouts", "--receive", "1us", "--publishers", "0..9", "--subscribers", "1")
                .err()).contains("--publishers must be more than 0");
    }

    private static Object[] with(List<Object> arguments, Object... more) {
        List<Object> all = new ArrayList<>(arguments);
        all.addAll(List.of(more));
        return all.toArray();
    }

    private static double row(Invocation result, String start) {
        return result.lines().stream().filter(line -> line.startsWith(start))
                .map(line -> Double.parseDouble(line.substring(start.length()).split(",")[0])).findFirst()
                .orElseThrow();
    }

    private static double received(List<String> broker, String... more) {
        return figure("received", broker, more);
    }

    /** Computes a figure of a broker with a hundred filters, saturated unless the options say otherwise. */
    private static double figure(String name, List<String> broker, String... more) {
        List<Object> arguments = new ArrayList<>(List.of("model", "capacity", "--filters", "100", "--utilisation", "1",
                "-fmt", "csv"));
        arguments.addAll(broker);
        arguments.addAll(List.of(more));
        Invocation result = Invocation.of(arguments.toArray());
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.lines().stream().filter(line -> line.startsWith(name + ","))
                .map(line -> Double.parseDouble(line.split(",")[1]))
                .findFirst().orElseThrow();
    }
}
