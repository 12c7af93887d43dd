package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.scan.FileCount;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import java.util.ArrayList;
import java.util.List;

/** What a reader of the figures must know about how they came about, one line each. */
final class Remarks {
    private Remarks() {
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
                remarks.add("%s: its writer dropped %d records".formatted(name, file.dropped()));
            }
        }
        measured.sampling().remark().ifPresent(remarks::add);
        if (!measured.exact()) {
            remarks.add("Memory did not suffice for exact durations: figures are to within 0.05 % (more heap: java -Xmx).");
        }
        return remarks;
    }
}
