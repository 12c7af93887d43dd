package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The effects of a 2^(k-p) design that no run distinguishes (D. C. Montgomery, <i>Design and Analysis of
 * Experiments</i>, chapter 8; R. Jain 1991, chapter 19). A set of factors is a number whose bit i stands for factor i
 * of the design.
 *
 * @param factors names, in the design's order
 * @param base    indices of the factors that are varied freely
 * @param words   one for each generator
 */
public record Confounding(List<String> factors, List<Integer> base, List<Word> words) {
    private static final String PLUS_OR_MINUS = "^\\s*[+-]?\\s*";
    private static final Comparator<Word> BY_SIZE = Comparator.<Word>comparingInt(word -> Integer.bitCount(word.set()))
            .thenComparingInt(Word::set);

    /** Factors whose product has the same sign in all runs. @param negative true if that sign is minus */
    public record Word(int set, boolean negative) {
        Word times(Word other) {
            return new Word(set ^ other.set, negative ^ other.negative);
        }
    }

    /**
     * @param generators such as {@code d=abc} or {@code d=-abc}: letters stand for the factors in their order; names of
     *                   factors stand for themselves, with {@code *} between
     */
    public static Confounding of(List<String> factors, List<String> generators) {
        List<Word> words = new ArrayList<>();
        int made = 0;
        for (String generator : generators) {
            String[] sides = generator.split("=", -1);
            if (sides.length != 2) {
                throw wrong(generator, "it must define a factor as a product of others, such as d=abc");
            }
            int left = set(sides[0], factors, generator);
            int right = set(sides[1].replaceFirst(PLUS_OR_MINUS, ""), factors, generator);
            if (Integer.bitCount(left) != 1) {
                throw wrong(generator, "its left side must be one factor");
            }
            if ((left & made) != 0) {
                throw wrong(generator, "another generator defines the same factor");
            }
            if (Integer.bitCount(right) < 2) {
                throw wrong(generator, "its right side must have at least two factors");
            }
            if ((left & right) != 0) {
                throw wrong(generator, "a factor cannot be defined by itself");
            }
            made |= left;
            words.add(new Word(left | right, sides[1].strip().startsWith("-")));
        }
        for (int i = 0; i < words.size(); i++) {
            if (Integer.bitCount(words.get(i).set() & made) > 1) {
                throw wrong(generators.get(i), "the factors of its right side must not be defined by a generator");
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

    /**
     * @return the length of the shortest word: 3 if main effects are confounded with interactions of two; 0 without
     * generators
     */
    public int resolution() {
        return group().stream().map(Word::set).filter(set -> set != 0).mapToInt(Integer::bitCount).min().orElse(0);
    }

    /** @return the defining relation: I, then each word */
    public List<String> relation() {
        return group().stream().sorted(BY_SIZE).map(this::name).toList();
    }

    /** @return the set and those confounded with it, the one of the fewest factors first */
    List<Word> together(int set) {
        return group().stream().map(word -> word.times(new Word(set, false))).sorted(BY_SIZE).toList();
    }

    /** @return the set in the row of each effect: of those that no run distinguishes, the one of the fewest factors */
    List<Integer> rows() {
        return IntStream.range(1, 1 << base.size()).map(this::ofDesign).mapToObj(set -> together(set).get(0).set())
                .toList();
    }

    /** @return a set of base factors as one of the design's */
    int ofDesign(int set) {
        return IntStream.range(0, base.size()).filter(i -> (set >> i & 1) == 1).map(i -> 1 << base.get(i)).sum();
    }

    /** @return names of a word's factors, joined if they are letters, with a minus if it is negative */
    public String name(Word word) {
        List<String> names = IntStream.range(0, factors.size()).filter(i -> (word.set() >> i & 1) == 1)
                .mapToObj(factors::get).toList();
        boolean letters = names.stream().allMatch(each -> each.length() == 1);
        return (word.negative() ? "-" : "") + (names.isEmpty() ? "I" : String.join(letters ? "" : " x ", names));
    }

    private List<Word> group() {
        List<Word> group = new ArrayList<>(List.of(new Word(0, false)));
        for (Word word : words) {
            group.addAll(group.stream().map(word::times).toList());
        }
        return group;
    }

    private static int set(String product, List<String> factors, String generator) {
        int set = 0;
        for (String part : parts(product.strip(), factors)) {
            int index = part.matches("[a-z]") && part.charAt(0) - 'a' < factors.size() ? part.charAt(0) - 'a'
                    : factors.indexOf(part);
            if (index < 0) {
                throw wrong(generator, "'" + part + "' is not one of the factors " + String.join(", ", factors));
            }
            if ((set >> index & 1) == 1) {
                throw wrong(generator, "'" + part + "' stands there twice");
            }
            set |= 1 << index;
        }
        return set;
    }

    /** @return the factors of a product: one, several with a sign or spaces between, or a letter each */
    private static List<String> parts(String product, List<String> factors) {
        if (factors.contains(product)) {
            return List.of(product);
        }
        return product.matches(".*[* ].*") ? List.of(product.split("[* ]+"))
                : product.chars().mapToObj(letter -> String.valueOf((char) letter)).toList();
    }

    private static DataException wrong(String generator, String reason) {
        return new DataException("generators: " + generator + ": " + reason + ".");
    }
}
