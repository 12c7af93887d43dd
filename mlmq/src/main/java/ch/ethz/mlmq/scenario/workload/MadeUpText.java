package ch.ethz.mlmq.scenario.workload;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Sentences of made-up words, whose frequencies follow Zipf's law. They are the same each time. */
final class MadeUpText {
    private static final int SEED = 20131129;
    private static final int WORDS = 4_000;
    private static final int SHORTEST_SENTENCE = 3;
    private static final int LONGEST_SENTENCE = 25;
    private static final String[] ONSETS = "b br c ch d f fl g h l m n p pr qu r s sh st t th tr v w".split(" ");
    private static final String[] NUCLEI = "a ai e ea i ie o ou u y".split(" ");
    private static final String[] CODAS = {"", "", "", "d", "l", "n", "nd", "ng", "r", "s", "st", "t"};

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final String[] words = new String[WORDS];

    private MadeUpText() {
        for (int rank = 0; rank < WORDS; rank++) {
            words[rank] = word(1 + (int) (Math.log10(rank + 1) * random.nextDouble()));
        }
    }

    /** @param length [bytes] */
    static byte[] of(int length) {
        MadeUpText text = new MadeUpText();
        StringBuilder sentences = new StringBuilder(length);
        while (sentences.length() < length) {
            sentences.append(text.sentence());
        }
        return sentences.substring(0, length).getBytes(StandardCharsets.US_ASCII);
    }

    private String sentence() {
        StringBuilder sentence = new StringBuilder();
        int count = random.nextInt(SHORTEST_SENTENCE, LONGEST_SENTENCE);
        for (int i = 1; i <= count; i++) {
            int rank = (int) Math.pow(WORDS, random.nextDouble());
            sentence.append(words[rank - 1]).append(i == count ? ". " : " ");
        }
        sentence.setCharAt(0, Character.toUpperCase(sentence.charAt(0)));
        return sentence.toString();
    }

    /** Frequent words are short. */
    private String word(int syllables) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < syllables; i++) {
            word.append(any(ONSETS)).append(any(NUCLEI));
        }
        return word.append(any(CODAS)).toString();
    }

    private String any(String... of) {
        return of[random.nextInt(of.length)];
    }
}
