package ch.ethz.mlmq.scenario.settings;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.config.Units;
import ch.ethz.mlmq.scenario.pacing.ClientSteps;
import ch.ethz.mlmq.scenario.pacing.LoadPlan;
import ch.ethz.mlmq.scenario.pacing.Pace;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import ch.ethz.mlmq.scenario.workload.MessageSizes;
import ch.ethz.mlmq.scenario.workload.Priorities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Syntax of a load's settings in a properties file. */
public final class LoadGrammars {
    private static final String TIME = "(\\d+ ?(?:us|ms|s|min|h))";
    private static final String RATE = "([0-9.]+/(?:s|min|h))";
    private static final String RATE_WITHOUT_GROUP = "[0-9.]+/(?:s|min|h)";
    private static final Pattern RAMP = Pattern.compile(RATE + " to " + RATE + " over " + TIME);
    private static final Pattern PHASE = Pattern.compile(RATE + " for " + TIME);
    private static final Pattern PART = Pattern.compile("(\\w[\\w -]{0,39}): (until )?" + TIME + "(?: ("
            + RATE_WITHOUT_GROUP + "(?: to " + RATE_WITHOUT_GROUP + " over \\d+ ?(?:ms|s|min|h))?))?( paused)?");
    private static final Pattern ZERO = Pattern.compile("0+(?:\\.0*)?/(?:s|min|h)");
    private static final Pattern STEPS = Pattern.compile("\\+(\\d+)(?: clients)? every " + TIME + " up to (\\d+)");
    private static final Pattern EXPONENTIAL = Pattern.compile("exponential " + TIME);
    private static final Pattern UNIFORM = Pattern.compile("uniform " + TIME + "\\.\\." + TIME);
    private static final Pattern SIZES = Pattern.compile("(zipf )?(\\d+)\\.\\.(\\d+)");
    private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d+)?) ?% (.+)");
    private static final Pattern PRIORITIES = Pattern.compile("(\\d+)(?:\\.\\.(\\d+))?");
    private static final Duration LONGEST_THOUGHT = Duration.ofHours(1);
    private static final double GREATEST_RATE = 10_000_000;

    private LoadGrammars() {
    }

    /**
     * Parses nothing for a closed load, or a rate for an open one: {@code 100/s}, {@code 100/s to 2000/s over 10min},
     * {@code 100/s for 1min, 0/s for 10s, 200/s}.
     */
    public static Grammar<Pace> pace() {
        return Grammar.of("100/s | 100/s to 2000/s over 10min | 100/s for 1min, 800/s for 10s, 100/s | "
                + "empty: a closed load", text -> text.isEmpty() ? new Pace.Closed() : new Pace.Open(ratePlan(text)));
    }

    /**
     * Parses nothing, or the parts of a load: {@code before: 1min; spike: 10s 800/s; outage: 20s paused;
     * drain: until 5min 100/s}.
     */
    public static Grammar<LoadPlan> load() {
        return Grammar.of("before: 1min; spike: 10s 800/s; outage: 20s paused; drain: until 5min | empty: one part",
                text -> text.isEmpty() ? LoadPlan.NONE : loadPlan(text));
    }

    private static LoadPlan loadPlan(String text) {
        List<LoadPlan.Part> parts = Arrays.stream(text.split(";", -1)).map(String::strip).map(LoadGrammars::part)
                .toList();
        Grammar.require(parts.stream().map(LoadPlan.Part::name).distinct().count() == parts.size(),
                "each part of the load needs a name of its own");
        return new LoadPlan(parts);
    }

    private static LoadPlan.Part part(String text) {
        Matcher part = PART.matcher(text);
        Grammar.require(part.matches(), "each part must read NAME: 10s, NAME: until 10s, or such a time with a rate "
                + "such as 100/s, with paused, or with both");
        String rate = part.group(4);
        boolean silent = rate != null && ZERO.matcher(rate).matches();
        return new LoadPlan.Part(part.group(1), duration(part.group(3)).toNanos(), part.group(2) != null,
                rate == null || silent ? Optional.empty() : Optional.of(ratePlan(rate)), silent,
                part.group(5) != null);
    }

    private static RatePlan ratePlan(String text) {
        Matcher ramp = RAMP.matcher(text);
        if (text.contains(",")) {
            return phases(Arrays.stream(text.split(",", -1)).map(String::strip).toList());
        }
        return ramp.matches() ? new RatePlan.Ramp(rate(ramp.group(1)), rate(ramp.group(2)),
                duration(ramp.group(3)).toNanos() / 1e9) : new RatePlan.Constant(rate(text));
    }

    private static RatePlan phases(List<String> parts) {
        int last = parts.size() - 1;
        List<RatePlan.Phases.Part> phases = new ArrayList<>();
        for (String part : parts.subList(0, last)) {
            Matcher phase = PHASE.matcher(part);
            Grammar.require(phase.matches(), "each phase but the last must read 100/s for 1min");
            phases.add(new RatePlan.Phases.Part(Units.rate(phase.group(1)) == 0 ? 0 : rate(phase.group(1)),
                    duration(phase.group(2)).toNanos() / 1e9));
        }
        phases.add(new RatePlan.Phases.Part(rate(parts.get(last)), Double.POSITIVE_INFINITY));
        return new RatePlan.Phases(phases);
    }

    /** Parses {@code 10ms}, {@code exponential 10ms}, {@code uniform 5ms..15ms}, or {@code 0}. */
    public static Grammar<ThinkTime> thinkTime() {
        return Grammar.of("10ms | exponential 10ms | uniform 5ms..15ms | 0", text -> {
            Matcher exponential = EXPONENTIAL.matcher(text);
            if (exponential.matches()) {
                return new ThinkTime.Exponential(thought(exponential.group(1)));
            }
            Matcher uniform = UNIFORM.matcher(text);
            return uniform.matches() ? new ThinkTime.Uniform(thought(uniform.group(1)), thought(uniform.group(2)))
                    : new ThinkTime.Fixed(thought(text));
        });
    }

    /** Parses {@code 100}, {@code 10..1000}, {@code zipf 10..1000}, {@code 10,100}, {@code 90% 100, 10% 200..1000}. */
    public static Grammar<MessageSizes> messageSizes(int most) {
        return Grammar.of("100 | 10..1000 | zipf 10..1000 | 10,100,1000 | 90% 100, 10% 1000", text -> {
            List<String> parts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
            MessageSizes sizes = text.contains("%") ? mixed(parts) : listed(parts);
            Grammar.require(sizes.min() >= LoadMessage.MIN_LENGTH && sizes.max() <= most,
                    "must be %d..%d bytes", LoadMessage.MIN_LENGTH, most);
            return sizes;
        });
    }

    /** Parses {@code +20 clients every 2min up to 450}, or nothing. */
    public static Grammar<ClientSteps> steps(int most) {
        return Grammar.of("+20 clients every 2min up to 450 | empty: no steps", text -> {
            if (text.isEmpty()) {
                return ClientSteps.NONE;
            }
            Matcher matcher = STEPS.matcher(text);
            Grammar.require(matcher.matches(), "must read +20 clients every 2min up to 450");
            int last = whole(matcher.group(3));
            Grammar.require(last <= most, "a JVM has at most %d clients", most);
            Grammar.require(whole(matcher.group(1)) > 0, "at each step at least one client must join");
            return new ClientSteps(whole(matcher.group(1)), duration(matcher.group(2)).toMillis(), last);
        });
    }

    /** Parses {@code 5} or {@code 1..10}. */
    public static Grammar<Priorities> priorities() {
        return Grammar.of("5 | 1..10", text -> {
            Matcher matcher = PRIORITIES.matcher(text);
            Grammar.require(matcher.matches(), "must be a priority 1..10, or two as in 1..10");
            int from = whole(matcher.group(1));
            return new Priorities(from, matcher.group(2) == null ? from : whole(matcher.group(2)));
        });
    }

    private static MessageSizes listed(List<String> parts) {
        return parts.size() == 1 ? sizes(parts.get(0))
                : new MessageSizes.OneOf(parts.stream().map(LoadGrammars::whole).toList());
    }

    private static MessageSizes mixed(List<String> parts) {
        List<Matcher> shares = parts.stream().map(SHARE::matcher).toList();
        Grammar.require(shares.stream().allMatch(Matcher::matches), "each size must have its share, as in 90% 100, "
                + "10% 1000");
        return new MessageSizes.Mixed(shares.stream().map(share -> Double.valueOf(share.group(1))).toList(),
                shares.stream().map(share -> sizes(share.group(2))).toList());
    }

    private static MessageSizes sizes(String text) {
        Matcher range = SIZES.matcher(text);
        if (!range.matches()) {
            return new MessageSizes.Fixed(whole(text));
        }
        int from = whole(range.group(2));
        int to = whole(range.group(3));
        return range.group(1) == null ? new MessageSizes.Uniform(from, to) : new MessageSizes.Zipf(from, to);
    }

    private static double rate(String text) {
        double rate = Units.rate(text);
        Grammar.require(rate > 0 && rate <= GREATEST_RATE, "a rate must be over 0 and at most %d/s; leave it empty for "
                + "a closed load", (long) GREATEST_RATE);
        return rate;
    }

    private static long thought(String text) {
        Duration thought = duration(text);
        Grammar.require(thought.compareTo(LONGEST_THOUGHT) <= 0, "must be at most 1h");
        return thought.toNanos();
    }

    private static Duration duration(String text) {
        return Units.duration(text.replace(" ", ""));
    }

    private static int whole(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
        }
    }
}
