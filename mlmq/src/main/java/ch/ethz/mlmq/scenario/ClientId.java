package ch.ethz.mlmq.scenario;

/**
 * The identity of a client of a run.
 *
 * @param scenario name of its scenario
 * @param position of its JVM among the client JVMs, from 0
 * @param number   in its JVM, from 0
 */
public record ClientId(String scenario, int position, int number) {

    /** @return the name by which the client registers: only letters, digits and {@code . _ -} */
    public String name() {
        return scenario.replace('#', '-') + "_" + position + "_" + number;
    }
}
