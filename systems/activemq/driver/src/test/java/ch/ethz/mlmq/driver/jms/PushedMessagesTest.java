package ch.ethz.mlmq.driver.jms;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.driver.jms.PushedMessages.Pushed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PushedMessagesTest {
    private final PushedMessages messages = new PushedMessages();
    private final Thread push = new Thread(() -> messages.add(new Pushed(7, null)));

    @BeforeEach
    void fill() throws InterruptedException {
        for (int i = 0; i < PushedMessages.MOST; i++) {
            messages.add(new Pushed(i, null));
        }
        push.setDaemon(true);
        push.start();
        while (push.isAlive() && push.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldHoldUpThePushOfAMessageThatHasNoRoom() throws Exception {
        assertThat(push.isAlive()).isTrue();
        assertThat(messages.next(0).subscription()).isZero();

        push.join();
        Pushed last = null;
        for (int i = 1; i <= PushedMessages.MOST; i++) {
            last = messages.next(0);
        }
        assertThat(last.subscription()).isEqualTo(7);
        assertThat(messages.next(0)).isNull();
    }

    @Test
    void shouldLetThePushGoAtTheEnd() throws Exception {
        messages.close();

        push.join();
        for (int i = 0; i < PushedMessages.MOST; i++) {
            assertThat(messages.next(0).subscription()).isEqualTo(i);
        }
        assertThat(messages.next(0)).isNull();
    }
}
