package ch.ethz.mlmq.client;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Address of a broker, resolved again for each connection.
 *
 * @param port 1..65,535
 */
public record BrokerAddress(String host, int port) {
    public BrokerAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException("a broker's address is host:port, and this host is empty");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("a port is 1..65535, not " + port);
        }
    }

    /** @param text {@code host:port}, with an IPv6 address in brackets */
    public static BrokerAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.startsWith("[") && text.indexOf(':') != colon) {
            throw new IllegalArgumentException("a broker's address is host:port, not \"" + text + "\"");
        }
        String host = text.startsWith("[") ? text.substring(1, Math.max(1, colon - 1)) : text.substring(0, colon);
        try {
            return new BrokerAddress(host, Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a broker's address is host:port, not \"" + text + "\"", e);
        }
    }

    /** @param text {@code host:port,host:port}, first choice first */
    public static List<BrokerAddress> parseList(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).map(BrokerAddress::parse).toList();
    }

    InetSocketAddress resolve() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
