package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Response;
import java.nio.ByteBuffer;

/** A correct client, whose requests must all succeed. */
final class Neighbour {
    private final Client client;
    private final Response.Registered me;
    private volatile boolean home;
    private volatile long answered;

    Neighbour(Client client, String name) {
        this.client = client;
        this.me = client.register(name);
    }

    /** @return how many requests it made, all of them answered as they should be */
    long behaveWell() {
        long requests = 0;
        while (!home) {
            byte[] content = ByteBuffer.allocate(Long.BYTES).putLong(requests).array();
            assertThat(client.echo(content)).isEqualTo(content);
            client.sendMessageToClient(me.client(), content, 5);
            MessageQuery own = MessageQuery.queue(me.ownQueue()).from(me.client());
            assertThat(client.dequeueMessage(own).orElseThrow().content()).isEqualTo(content);
            requests += 3;
            answered = requests;
        }
        return requests;
    }

    /** @return requests that were answered so far */
    long answered() {
        return answered;
    }

    void goHome() {
        home = true;
    }
}
