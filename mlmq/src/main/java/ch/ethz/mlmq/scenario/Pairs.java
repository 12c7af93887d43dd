package ch.ethz.mlmq.scenario;

import java.util.List;

/**
 * Who works with whom, as every JVM finds for itself: the first JVM's clients with those of the second one by one,
 * the third's with the fourth's; the clients of a last JVM that is left over two by two among themselves.
 */
public final class Pairs {
    private Pairs() {
    }

    /**
     * @param positions of the JVMs of the scenario, in their order
     * @return the client it works with
     */
    public static ClientId partnerOf(ClientId client, List<Integer> positions) {
        int jvm = positions.indexOf(client.position());
        if (jvm == positions.size() - 1 && jvm % 2 == 0) {
            return new ClientId(client.scenario(), client.position(), client.number() ^ 1);
        }
        return new ClientId(client.scenario(), positions.get(jvm ^ 1), client.number());
    }

    /**
     * @param positions of the JVMs of the scenario, in their order
     * @return whether this client asks and its partner answers
     */
    public static boolean isFirst(ClientId client, List<Integer> positions) {
        ClientId partner = partnerOf(client, positions);
        return client.position() < partner.position()
                || client.position() == partner.position() && client.number() < partner.number();
    }
}
