package ch.ethz.mlmq.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class OutageTest {
    private final Logger log = Logger.getAnonymousLogger();
    private final List<String> warnings = new ArrayList<>();
    private final Outage outage = new Outage(log, "the heartbeat");

    OutageTest() {
        log.setUseParentHandlers(false);
        log.setLevel(Level.ALL);
        log.addHandler(new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                    warnings.add(line.getMessage());
                }
            }

            @Override
            public void flush() {
                // nothing is held back
            }

            @Override
            public void close() {
                // nothing is open
            }
        });
    }

    @Test
    void shouldWarnOnceThatAStateBeganAndOnceThatItEnded() {
        outage.worked();
        assertThat(warnings).isEmpty();

        outage.failed("no connection", new IOException());
        outage.failed("no room", new IOException());
        assertThat(warnings)
                .containsExactly("the heartbeat failed: no connection; the broker retries until it succeeds");

        outage.worked();
        outage.worked();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).startsWith("the heartbeat works again after ");
    }
}
