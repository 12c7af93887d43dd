package ch.ethz.mlmq.client;

import java.nio.channels.SelectionKey;

/** The attachment of a selection key; called on the loop's thread. */
interface ReadyHandler {
    void ready(SelectionKey key);
}
