package ch.ethz.mlmq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AgentRunnerTest {
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch secondWork = new CountDownLatch(2);

    @Test
    void shouldWorkOnAfterAnErrorAndCloseOnceInItsOwnThread() throws Exception {
        AgentRunner runner = AgentRunner.start(new Failing(), Duration.ofMillis(1));

        assertThat(secondWork.await(10, TimeUnit.SECONDS)).isTrue();
        runner.close();

        assertThat(runner.isAlive()).isFalse();
        assertThat(events).containsExactly("start failing", "close failing");
    }

    @Test
    void shouldNotWaitForEverForAnAgentThatHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AgentRunner runner = AgentRunner.start(new Agent() {
            @Override
            public String roleName() {
                return "hanging";
            }

            @Override
            public int doWork() throws InterruptedException {
                hangs.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    interrupted.countDown();
                }
                return 0;
            }
        }, Duration.ZERO);
        hangs.await();

        runner.close(Duration.ofMillis(50));

        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldTellWhoeverWantsToKnowOfAnError() throws Exception {
        CompletableFuture<String> told = new CompletableFuture<>();
        AgentRunner.start(new Agent() {
            @Override
            public String roleName() {
                return "failing";
            }

            @Override
            public int doWork() {
                throw new StackOverflowError("as the test wants");
            }
        }, Duration.ZERO, (name, error) -> told.complete(name + " " + error.getMessage()));

        assertThat(told.get(10, TimeUnit.SECONDS)).isEqualTo("failing as the test wants");
    }

    private final class Failing implements Agent {
        @Override
        public String roleName() {
            return "failing";
        }

        @Override
        public void onStart() {
            events.add("start " + Thread.currentThread().getName());
        }

        @Override
        public int doWork() {
            secondWork.countDown();
            throw new IllegalStateException("as the test wants");
        }

        @Override
        public void onClose() {
            events.add("close " + Thread.currentThread().getName());
        }
    }
}
