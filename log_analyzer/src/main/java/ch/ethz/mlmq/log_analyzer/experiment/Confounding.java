package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which effects of a 2^(k-p) design no run tells apart (D. C. Montgomery, <i>Design and Analysis of Experiments</i>,
 * chapter 8; R. Jain 1991, chapter 19). A set of factors is a number whose bit i stands for factor i of the design.
 *
 * @param factors names, in the design's order
 * @param base    indices of the factors that are varied freely
 * @param words   sets whose product is the same in all runs; generators first, without their products
 */
public record Confounding(List<String> factors, List<Integer> base, List<Integer> words) {
    /** Sets of fewer factors first, then those of earlier factors. */
    private static final Comparator<Integer> BY_SIZE =
            Comparator.<Integer>comparingInt(Integer::bitCount).thenComparingInt(Integer::intValue);

    /**
     * @param generators such as {@code d=abc}: by the names of factors, with {@code *} between where these are longer
     *                   than a letter; or by letters, which stand for the factors in their order
     */
    public static Confounding of(List<String> factors, List<String> generators) {
        List<Integer> words = new ArrayList<>();
        int made = 0;
        for (String generator : generators) {
            String[] sides = generator.split("=", -1);
            if (sides.length != 2) {
                throw wrong(generator, "it must say what a factor is made of, such as d=abc");
            }
            int left = set(sides[0], factors, generator);
            int right = set(sides[1].replaceFirst("^\\s*\\+", ""), factors, generator);
            if (Integer.bitCount(left) != 1) {
                throw wrong(generator, "one factor must stand at its left");
            }
            if ((left & made) != 0) {
                throw wrong(generator, "another generator makes the same factor");
            }
            if (Integer.bitCount(right) < 2) {
                throw wrong(generator, "two factors at least must stand at its right, or two factors are one");
            }
            made |= left;
            words.add(left | right);
            if ((left & right) != 0) {
                throw wrong(generator, "a factor cannot be made of itself");
            }
        }
        for (int i = 0; i < words.size(); i++) {
            if (Integer.bitCount(words.get(i) & made) > 1) {
                throw wrong(generators.get(i), "the factors at its right must not be made by a generator themselves");
            }
        }
        int free = made;
        List<Integer> base = IntStream.range(0, factors.size()).filter(i -> (free >> i & 1) == 0).boxed().toList();
        Confounding confounding = new Confounding(List.copyOf(factors), base, List.copyOf(words));
        if (!words.isEmpty() && confounding.resolution() < 3) {
            throw new DataException("generators: two factors would have the same effect in all runs ("
                    + String.join(", ", confounding.relation()) + "). Choose products that differ in more.");
        }
        return confounding;
    }

    /** @return the shortest word: 3 where main effects are confounded with interactions of two; 0 without generators */
    public int resolution() {
        return group().stream().filter(set -> set != 0).mapToInt(Integer::bitCount).min().orElse(0);
    }

    /** @return the defining relation: I, then each word */
    public List<String> relation() {
        return group().stream().sorted(BY_SIZE).map(set -> set == 0 ? "I" : name(set)).toList();
    }

    /** @return what is confounded with a set, the fewest factors first, without itself */
    public List<Integer> confounded(int set) {
        return group().stream().filter(word -> word != 0).map(word -> word ^ set).sorted(BY_SIZE).toList();
    }

    /** @return the set and what is confounded with it, the one of the fewest factors first */
    List<Integer> together(int set) {
        return group().stream().map(word -> word ^ set).sorted(BY_SIZE).toList();
    }

    /** @return names of a set's factors, together where they are letters */
    public String name(int set) {
        List<String> names = IntStream.range(0, factors.size()).filter(i -> (set >> i & 1) == 1)
                .mapToObj(factors::get).toList();
        return names.isEmpty() ? "I" : String.join(names.stream().allMatch(each -> each.length() == 1) ? "" : " x ",
                names);
    }

    private List<Integer> group() {
        List<Integer> group = new ArrayList<>(List.of(0));
        for (int word : words) {
            group.addAll(group.stream().map(set -> set ^ word).toList());
        }
        return group;
    }

    private static int set(String product, List<String> factors, String generator) {
        String text = product.strip();
        List<String> parts = factors.contains(text) ? List.of(text)
                : text.matches(".*[* ].*") ? Arrays.stream(text.split("[* ]+")).toList()
                : text.chars().mapToObj(letter -> String.valueOf((char) letter)).collect(Collectors.toList());
        int set = 0;
        for (String part : parts) {
            int index = factors.indexOf(part);
            if (index < 0 && part.matches("[A-Za-z]")) {
                index = Character.toLowerCase(part.charAt(0)) - 'a';
            }
            if (index < 0 || index >= factors.size()) {
                throw wrong(generator, "'" + part + "' is none of the factors " + String.join(", ", factors));
            }
            if ((set >> index & 1) == 1) {
                throw wrong(generator, "'" + part + "' stands there twice");
            }
            set |= 1 << index;
        }
        return set;
    }

    private static DataException wrong(String generator, String reason) {
        return new DataException("generators: " + generator + ": " + reason + ".");
    }
}
