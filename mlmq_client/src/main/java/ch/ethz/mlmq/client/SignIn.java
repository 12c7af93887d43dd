package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.scram.Scram;
import ch.ethz.mlmq.protocol.scram.ScramClient;
import ch.ethz.mlmq.protocol.scram.ScramException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Proves to a broker that a connection is that of a user. Belongs to the loop's thread. */
final class SignIn {
    private final ClientLoop loop;
    private final Connection connection;
    private final Credentials credentials;
    private final long timeoutNanos;
    private final Consumer<String> done;
    private final ScramClient client;

    /** @param done gets null, or why it failed */
    SignIn(ClientLoop loop, Connection connection, ClientConfig config, Response.Welcome welcome,
            Consumer<String> done) {
        this.loop = loop;
        this.connection = connection;
        this.credentials = config.credentials();
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.requestTimeoutMillis());
        this.done = done;
        this.client = new ScramClient(credentials.user(), connection.channelBinding(),
                welcome.offers(Scram.MECHANISM_PLUS));
    }

    /**
     * @param welcome null if the broker knows no handshake
     * @return why the client cannot work with the broker, or null if it can
     */
    static String mismatch(ClientConfig config, Response.Welcome welcome) {
        boolean asks = welcome != null && !welcome.mechanisms().isEmpty();
        if (config.credentials() == null) {
            return asks ? "the broker asks for a user and its password, and this client has none" : null;
        }
        if (!asks) {
            return "the broker asks for no password, so nothing proves that it knows " + config.credentials()
                    + ": connect without a user, if this is the right broker";
        }
        return welcome.offers(Scram.MECHANISM) || welcome.offers(Scram.MECHANISM_PLUS) ? null
                : "the broker asks for " + welcome.mechanisms() + ", which this client does not know";
    }

    void begin() {
        ask(client.mechanism(), client.begin(), this::challenged);
    }

    private void challenged(Response.Challenge challenge) throws ScramException {
        ScramClient.Work work = client.work(challenge.data());
        // The iterations may take long, so they must not run on the loop's thread.
        CompletableFuture.supplyAsync(() -> credentials.salted(work)).whenComplete((salted, e) -> loop.execute(() -> {
            if (e == null) {
                ask("", client.end(salted), this::proved);
            } else {
                done.accept("the password cannot be used: " + e.getCause().getMessage());
            }
        }));
    }

    private void proved(Response.Challenge last) throws ScramException {
        client.check(last.data());
        done.accept(last.complete() ? null : "the broker asks for more than this client knows");
    }

    @FunctionalInterface
    private interface Step {
        void take(Response.Challenge challenge) throws ScramException;
    }

    private void ask(String mechanism, byte[] data, Step next) {
        Status submitted = connection.submit(new Request.Authenticate(mechanism, data), timeoutNanos, 0,
                (tag, status, response, sent, end) -> {
                    if (status == Status.OK && response instanceof Response.Challenge challenge) {
                        try {
                            next.take(challenge);
                        } catch (ScramException e) {
                            done.accept(e.getMessage());
                        }
                    } else {
                        done.accept(response instanceof Response.Failure failure ? failure.text()
                                : "the sign-in failed: " + status);
                    }
                });
        if (submitted != Status.OK) {
            done.accept("the sign-in failed: " + submitted);
        }
    }
}
