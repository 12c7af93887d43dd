package ch.ethz.mlmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.ethz.mlmq.protocol.MessageQuery;

/** The example of the README: sends a message and receives it. A test runs it, at the address it is given. */
public final class ReadmeExample {
    private ReadmeExample() {
    }

    public static void main(String[] args) {
        try (Client client = Client.connect(args[0])) {
            client.register("bob");
            int mails = client.createQueue("mails");
            client.sendMessage(mails, "hello".getBytes(UTF_8), 5);

            // Leased for 30 s (visibility timeout): redelivered to another consumer where it is not acknowledged by then.
            client.receiveMessage(MessageQuery.queue(mails).waiting(10_000), 30_000).ifPresent(message -> {
                System.out.println(message.text());
                client.acknowledge(message);
            });
        }
    }
}
