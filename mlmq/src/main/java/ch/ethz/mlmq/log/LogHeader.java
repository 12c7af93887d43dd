package ch.ethz.mlmq.log;

import ch.ethz.mlmq.config.Role;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The first line of a performance log, with its writer and what is needed to read it.
 *
 * @param scenario      such as {@code OneWayClient}
 * @param role          of the JVM
 * @param position      of the JVM, from 0
 * @param clients       clients of a client JVM, or 0 for a broker
 * @param sample        one request in n is recorded, at random
 * @param start         when the JVM started
 * @param others        items {@code Name[value]} of the role, for people
 */
public record LogHeader(String scenario, Role role, int position, int clients, int sample, LogStart start,
        List<String> others) {
    String line() {
        return "MLMQ performance log Scenario[" + scenario + "] Role[" + role.word() + "] Position[" + position
                + "] Clients[" + clients + "] Unit[us] Sample[1/" + sample + "] Started[" + start.millis() + "]"
                + others.stream().map(item -> " " + item).collect(Collectors.joining());
    }
}
