package ch.ethz.mlmq.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.TimeZone;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class PeopleLogTest {
    @Test
    void shouldTellTheTimeInUtcWhereverTheMachineIs() {
        TimeZone here = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
        try {
            LogRecord event = new LogRecord(Level.WARNING, "it is late");
            event.setInstant(Instant.parse("2013-11-05T20:55:20.971Z"));
            assertThat(new PeopleLog.OneLine().format(event))
                    .isEqualTo("2013-11-05T20:55:20.971Z WARNING " + Thread.currentThread().getName() + " it is late"
                            + System.lineSeparator());
        } finally {
            TimeZone.setDefault(here);
        }
    }
}
