package ch.ethz.mlmq.client;

import java.nio.channels.SelectionKey;

/** What a selection key is attached to; called on the loop's thread. */
interface ReadyHandler {
    void ready(SelectionKey key);
}
