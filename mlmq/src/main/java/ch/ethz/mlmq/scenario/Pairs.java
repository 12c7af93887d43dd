package ch.ethz.mlmq.scenario;

import java.util.List;

/**
 * Pairs the clients of a scenario; every JVM computes the same pairs. The first JVM's clients work with those of the
 * second one by one, the third's with the fourth's. If the number of JVMs is odd, the clients of the last one pair
 * among themselves.
 */
public final class Pairs {
    private Pairs() {
    }

    /**
     * @param positions of the JVMs of the scenario, in order
     * @return the partner of the client
     */
    public static ClientId partnerOf(ClientId client, List<Integer> positions) {
        int jvm = positions.indexOf(client.position());
        if (jvm == positions.size() - 1 && jvm % 2 == 0) {
            return new ClientId(client.scenario(), client.position(), client.number() ^ 1);
        }
        return new ClientId(client.scenario(), positions.get(jvm ^ 1), client.number());
    }

    /**
     * @param positions of the JVMs of the scenario, in order
     * @return true if this client sends requests and its partner responds
     */
    public static boolean isFirst(ClientId client, List<Integer> positions) {
        ClientId partner = partnerOf(client, positions);
        return client.position() < partner.position()
                || client.position() == partner.position() && client.number() < partner.number();
    }
}
