package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.limits.Network;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import java.net.InetAddress;

/**
 * Chooses the I/O thread of each connection: all of them in turn, or those of its address in turn. Successive addresses
 * have different threads as long as there are enough, so that one address does not delay the other.
 */
public final class Placement {
    private final int threads;
    private final int ofAddress;
    /** Of each group of threads: how many connections it got. */
    private final int[] turns;

    /** @param ofAddress threads of one address, 1..{@code threads} */
    Placement(int threads, int ofAddress) {
        this.threads = threads;
        this.ofAddress = ofAddress;
        this.turns = new int[threads];
    }

    /** @throws ConfigurationException if an address is to have more threads than there are */
    public static Placement of(Settings settings) {
        int threads = settings.get(BrokerKeys.IO_THREADS);
        int ofAddress = settings.get(BrokerKeys.ADDRESS_THREADS);
        if (ofAddress > threads) {
            throw new ConfigurationException(BrokerKeys.ADDRESS_THREADS.name() + "=" + ofAddress + ": there are only "
                    + BrokerKeys.IO_THREADS.name() + "=" + threads + "; set at most as many");
        }
        return new Placement(threads, ofAddress == 0 ? threads : ofAddress);
    }

    /** @param address null if the connection is lost. @return number of the thread that serves it */
    int thread(InetAddress address) {
        int first = ofAddress == threads ? 0 : number(address) * ofAddress % threads;
        int turn = turns[first];
        turns[first] = (turn + 1) % ofAddress;
        return (first + turn) % threads;
    }

    private static int number(InetAddress address) {
        if (address == null) {
            return 0;
        }
        byte[] bytes = address.getAddress();
        // One host has many addresses of IPv6.
        return Byte.toUnsignedInt(bytes[Math.min(bytes.length, Network.HOST) - 1]);
    }
}
