package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.table.Figures;

/** What models of open arrivals hold for. */
public final class Arrivals {
    private Arrivals() {
    }

    /** @return the utilisation, which must lie between 0 and 1: otherwise the queue grows for ever */
    public static double stable(double utilisation) {
        if (!(utilisation > 0 && utilisation < 1)) {
            throw new DataException(("Utilisation is %s. With open arrivals it must lie between 0 and 1, or the "
                    + "queue grows "
                    + "for ever: lower the rate, or ask model closed.").formatted(Figures.plain(utilisation)));
        }
        return utilisation;
    }
}
