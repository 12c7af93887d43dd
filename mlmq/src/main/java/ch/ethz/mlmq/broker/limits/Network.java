package ch.ethz.mlmq.broker.limits;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/** Networks of addresses: of IPv6 one host has many addresses, and one site many networks. */
public final class Network {
    /** An IPv6 address without these bytes is that of a host's network [bytes]. */
    public static final int HOST = 8;
    /** The same of a site [bytes]. */
    public static final int SITE = 6;
    private static final int IPV6_BYTES = 16;

    private Network() {
    }

    /**
     * @param address of IPv4 or IPv6, as text
     * @param bytes   {@link #HOST} or {@link #SITE}
     * @return the address; of IPv6 only its first bytes
     */
    public static String of(String address, int bytes) {
        if (!address.contains(":")) {
            return address;
        }
        try {
            byte[] all = InetAddress.getByName(address).getAddress();
            return all.length == IPV6_BYTES ? HexFormat.of().formatHex(all, 0, bytes) : address;
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
