/**
 * The client library of MLMQ: {@link ch.ethz.mlmq.client.Client} for blocking calls,
 * {@link ch.ethz.mlmq.client.AsyncClient} for many requests in flight, and the records that both accept and return.
 */
module ch.ethz.mlmq.client {
    requires java.logging;
    requires java.naming;
    requires jdk.net;

    exports ch.ethz.mlmq.client;
    exports ch.ethz.mlmq.protocol;
}
