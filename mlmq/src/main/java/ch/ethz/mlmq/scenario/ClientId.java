package ch.ethz.mlmq.scenario;

/**
 * Which client of a run this is.
 *
 * @param scenario name of what it does
 * @param position of its JVM among the client JVMs, from 0
 * @param number   in its JVM, from 0
 */
public record ClientId(String scenario, int position, int number) {

    /** @return the name the client registers by: letters, digits, {@code . _ -} only */
    public String name() {
        return scenario.replace('#', '-') + "_" + position + "_" + number;
    }
}
