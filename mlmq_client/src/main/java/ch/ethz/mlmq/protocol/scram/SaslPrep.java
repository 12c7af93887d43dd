package ch.ethz.mlmq.protocol.scram;

import java.text.Normalizer;

/** Brings passwords that look the same into the same form, as RFC 4013 says. */
final class SaslPrep {
    private static final int SPACE = ' ';

    private SaslPrep() {
    }

    /** @throws IllegalArgumentException if a character may be in no password */
    static String of(String password) {
        StringBuilder mapped = new StringBuilder(password.length());
        password.codePoints().filter(c -> !isNothing(c))
                .forEach(c -> mapped.appendCodePoint(Character.getType(c) == Character.SPACE_SEPARATOR ? SPACE : c));
        String prepared = Normalizer.normalize(mapped, Normalizer.Form.NFKC);
        if (prepared.codePoints().anyMatch(SaslPrep::isForbidden)) {
            throw new IllegalArgumentException("a password has no control characters and no private ones");
        }
        if (!isOfOneDirection(prepared)) {
            throw new IllegalArgumentException("a password with letters that are written from right to left begins and "
                    + "ends with one of them, and has no letter that is written from left to right");
        }
        return prepared;
    }

    /** As section 6 of RFC 3454 says. */
    private static boolean isOfOneDirection(String prepared) {
        return prepared.codePoints().noneMatch(SaslPrep::isRightToLeft)
                || prepared.codePoints().noneMatch(c -> Character.getDirectionality(c)
                        == Character.DIRECTIONALITY_LEFT_TO_RIGHT)
                && isRightToLeft(prepared.codePointAt(0))
                && isRightToLeft(prepared.codePointBefore(prepared.length()));
    }

    private static boolean isRightToLeft(int c) {
        byte direction = Character.getDirectionality(c);
        return direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
                || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
    }

    /** @return true if the character is invisible, as in table B.1 of RFC 3454 */
    private static boolean isNothing(int c) {
        return c == 0xad || c == 0x34f || c == 0x1806 || c >= 0x180b && c <= 0x180d || c >= 0x200b && c <= 0x200d
                || c == 0x2060 || c >= 0xfe00 && c <= 0xfe0f || c == 0xfeff;
    }

    private static boolean isForbidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.PRIVATE_USE, Character.SURROGATE,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> (c & 0xfffe) == 0xfffe || c >= 0xfdd0 && c <= 0xfdef || c >= 0xfff9 && c <= 0xfffd;
        };
    }
}
