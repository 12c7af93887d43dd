package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.scan.FileCount;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Remarks that a reader of the figures needs, one line each. */
final class Remarks {
    private Remarks() {
    }

    /** @return a remark if nothing is left between warm-up and cool-down */
    static Optional<String> noSteadyPart(Measurements measured) {
        boolean empty = measured.groups().stream().allMatch(group -> group.steady().count() == 0);
        return empty ? Optional.of("The measurement interval has no requests: the records end after %s s.".formatted(
                Figures.plain((measured.endMs() - measured.timeline().originMs()) / 1000.0))) : Optional.empty();
    }

    static List<String> of(Measurements measured) {
        List<String> remarks = new ArrayList<>();
        for (FileCount file : measured.files()) {
            String name = file.log().file().name();
            if (file.malformed() > 0) {
                remarks.add("%s: %d malformed line%s, the first is line %d: %s".formatted(name, file.malformed(),
                        file.malformed() == 1 ? "" : "s", file.firstMalformedLine(), file.firstMalformed()));
            }
            if (file.dropped() > 0) {
                remarks.add("%s: the JVM dropped %d records while it wrote the log".formatted(name, file.dropped()));
            }
        }
        measured.copies().forEach(name -> remarks.add(name + " is left out, because it is a copy of another log of "
                + "the run."));
        if (measured.tooFar() > 0) {
            remarks.add(("%d record%s left out, too far from the time of the others: a clock is wrong, "
                    + "a time stamp is damaged, or -window is too short.").formatted(measured.tooFar(),
                    measured.tooFar() == 1 ? " is" : "s are"));
        }
        noSteadyPart(measured).ifPresent(remarks::add);
        measured.sampling().remark().ifPresent(remarks::add);
        if (!measured.exact()) {
            remarks.add("The memory did not suffice for exact durations: figures are exact to 0.05 %. Give java more "
                    + "heap with -Xmx.");
        }
        return remarks;
    }
}
