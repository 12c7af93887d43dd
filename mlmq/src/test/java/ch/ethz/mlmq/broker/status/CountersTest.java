package ch.ethz.mlmq.broker.status;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import org.junit.jupiter.api.Test;

class CountersTest {
    private final Counters counters = new Counters();

    @Test
    void shouldNotCountAsAnErrorThatSomethingLookedUpIsNotThere() {
        counters.answered(new Request.LookupQueue("orders"), failure(Status.QUEUE_DOES_NOT_EXIST));
        counters.answered(new Request.LookupClient("anna"), failure(Status.CLIENT_DOES_NOT_EXIST));
        counters.answered(new Request.CreateQueue("orders"), failure(Status.QUEUE_EXISTS));

        assertThat(counters.errors.sum()).isZero();
    }

    @Test
    void shouldCountAsAnErrorWhatWasToBeDoneAndWasNot() {
        counters.answered(new Request.DeleteQueue(7, true), failure(Status.QUEUE_DOES_NOT_EXIST));
        counters.answered(new Request.LookupQueue("orders"), failure(Status.BROKER_ERROR));

        assertThat(counters.errors.sum()).isEqualTo(2);
    }

    private static Response failure(Status status) {
        return new Response.Failure(status, "because");
    }
}
