package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.protocol.Lease;
import java.util.List;

/** Reads leases such as {@code 12:77}: the id of a message, and the token of its delivery. */
final class NamedLeases {
    private NamedLeases() {
    }

    /** @throws UsageException if one of the words is not a lease */
    static List<Lease> of(List<String> words) {
        return words.stream().map(NamedLeases::of).toList();
    }

    private static Lease of(String word) {
        String[] halves = word.split(":", -1);
        try {
            if (halves.length == 2) {
                return new Lease(Long.parseLong(halves[0]), Long.parseLong(halves[1]));
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new UsageException("\"" + word + "\" is not a lease; write MESSAGE:TOKEN, such as 12:77");
    }
}
