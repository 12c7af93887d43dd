package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.waiting.DiscreteWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.Discretization;
import ch.ethz.mlmq.log_analyzer.model.waiting.Law;
import ch.ethz.mlmq.log_analyzer.model.waiting.WaitingTime;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for the discrete-time queue, which the study's parameters determine unless others are given. */
final class DiscreteOptions {
    private static final int MOST_UNITS = 10_000;
    private static final double[] COMPARED = {0.99, 0.9999};
    private static final int PLACES = 2_000;
    private static final double PER_CENT = 100;

    @Option(names = {"--discrete", "-discrete"},
            description = "Adds the discrete-time GI/GI/1 queue. It needs one server.")
    private boolean discrete;

    @Option(names = {"--bound", "-bound"}, paramLabel = "TIME",
            description = "Adds it with this bound D_max of its work, e.g. 5ms. Default: as short as --eps-d allows.")
    private String bound;

    @Option(names = {"--arrival-cv", "-arrival-cv"}, paramLabel = "C",
            description = "Its coefficient of variation of the inter-arrival time. Default: 1.")
    private Double arrivalCv;

    @Option(names = {"--units", "-units"}, paramLabel = "N",
            description = "Its units of time in a mean inter-arrival time (n_u). Default: 100.")
    private Integer units;

    @Option(names = {"--eps-c", "-eps-c"}, paramLabel = "E",
            description = "Its iteration ends when no share changes by as much (ε_c). Default: 1e-8.")
    private Double converged;

    @Option(names = {"--eps-d", "-eps-d"}, paramLabel = "E",
            description = "Its share of arrivals that may meet the bound (ε_d). Default: 1e-10.")
    private Double atBound;

    @Option(names = {"--eps-f", "-eps-f"}, paramLabel = "E",
            description = "Its share of times that are cut at their end (ε_f). Default: 1e-4.")
    private Double tail;

    boolean isAsked() {
        return discrete || bound != null;
    }

    void check() {
        if (!isAsked() && (arrivalCv != null || units != null || converged != null || atBound != null
                || tail != null)) {
            throw new UsageException((arrivalCv != null ? "--arrival-cv needs" : "--units and --eps-… need")
                    + " --discrete or --bound: they are of the discrete-time queue only.");
        }
    }

    /** @param remarks takes what the discrete times are, and how far the queue is from the exact one */
    DiscreteWaiting queue(Law service, double rate, WaitingTime exact, List<String> remarks) {
        double spread = arrivalCv == null ? 1 : OptionValues.notNegative("--arrival-cv", arrivalCv);
        Discretization parameters = parameters();
        if (bound != null) {
            parameters = parameters.boundedBy(OptionValues.positive("--bound", OptionValues.seconds("--bound", bound)));
        }
        DiscreteWaiting queue = new DiscreteWaiting(Law.gamma(1 / rate, spread), service, parameters);
        remarks.add("Discrete: %d units (%s us) of bound, %d arrivals until it converged; utilisation %s, cv of "
                .formatted(Math.round(queue.bound() * rate * parameters.units()), Figures.brief(queue.bound() * 1e6),
                        queue.rounds(), Figures.rounded(queue.utilisation(), 4))
                + "arrivals %s, of service %s.".formatted(Figures.plain(queue.arrivalCv()),
                        Figures.plain(queue.serviceCv())));
        if (queue.isBounded()) {
            remarks.add(("A share of %s of the arrivals meets the bound, more than ε_d. So the bound and not the queue "
                    + "determines the longest waits.").formatted(Figures.brief(queue.atBound())));
        } else if (spread == 1) {
            remarks.add(distance(queue, exact));
        }
        return queue;
    }

    private Discretization parameters() {
        Discretization study = Discretization.OF_STUDY;
        WhatIfOptions.requireCount("--units", units, MOST_UNITS);
        return new Discretization(units == null ? study.units() : units, share("--eps-c", converged, study.converged()),
                share("--eps-d", atBound, study.atBound()), share("--eps-f", tail, study.tail()), study.bound());
    }

    private static double share(String option, Double share, double otherwise) {
        return share == null ? otherwise : OptionValues.share(option, share);
    }

    private static String distance(DiscreteWaiting queue, WaitingTime exact) {
        double most = 0;
        for (int i = 0; i < PLACES; i++) {
            double time = queue.bound() * i / PLACES;
            most = Math.max(most, Math.abs(queue.within(time) - exact.within(time)));
        }
        return "Its distance from the inversion: at most %s in P(W ≤ t), %s%% in p99, %s%% in p99.99.".formatted(
                Figures.brief(most), difference(queue, exact, COMPARED[0]), difference(queue, exact, COMPARED[1]));
    }

    private static String difference(WaitingTime queue, WaitingTime exact, double p) {
        double right = exact.quantile(p);
        return right > 0 ? Figures.plain(PER_CENT * (queue.quantile(p) / right - 1)) : "0";
    }
}
