package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A thousand clients of one broker, all connected at once, each sending itself messages and taking them. */
final class ThousandClients {
    private static final int CLIENTS = 1_000;
    private static final int ROUNDS = 10;

    private ThousandClients() {
    }

    /** @return messages that came back to the client that sent them */
    static int run(int port) throws Exception {
        try (ClientLoop loop = ClientLoop.start("clients")) {
            List<AsyncClient> clients = new ArrayList<>();
            List<CompletableFuture<Integer>> queues = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = "client-" + i;
                AsyncClient client = AsyncClient.open(loop, TestBroker.config(port));
                clients.add(client);
                queues.add(client.whenConnected().thenCompose(connected -> client.register(name))
                        .thenApply(registered -> registered.ownQueue()));
            }
            for (CompletableFuture<Integer> queue : queues) {
                queue.get(60, TimeUnit.SECONDS);
            }
            int back = 0;
            for (int round = 0; round < ROUNDS; round++) {
                List<CompletableFuture<Optional<Message>>> answers = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    AsyncClient client = clients.get(i);
                    int queue = queues.get(i).get();
                    answers.add(client.sendMessage(queue, new byte[100], 5)
                            .thenCompose(sent -> client.dequeueMessage(MessageQuery.queue(queue))));
                }
                for (CompletableFuture<Optional<Message>> answer : answers) {
                    back += answer.get(60, TimeUnit.SECONDS).isPresent() ? 1 : 0;
                }
            }
            return back;
        }
    }
}
