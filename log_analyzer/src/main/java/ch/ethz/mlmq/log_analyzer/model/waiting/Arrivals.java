package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.table.Figures;

/** Assumptions of models of open arrivals. */
public final class Arrivals {
    private Arrivals() {
    }

    /**
     * @return the utilisation
     * @throws ch.ethz.mlmq.log_analyzer.errors.DataException if it is not between 0 and 1: the queue would grow for
     * ever
     */
    public static double stable(double utilisation) {
        if (!(utilisation > 0 && utilisation < 1)) {
            throw new DataException(("Utilisation is %s. With open arrivals it must lie between 0 and 1, or the "
                    + "queue grows without end. Lower the rate, or use model "
                    + "closed.").formatted(Figures.plain(utilisation)));
        }
        return utilisation;
    }
}
