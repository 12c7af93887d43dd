package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A server that a driver connects to. It contains no password.
 *
 * @param scheme such as {@code amqp}
 * @param user   empty if the address names none
 * @param host   name or number
 * @param port   the scheme's default if the address names none
 * @param path   after host and port, without its slash: a virtual host, a database
 * @param query  after the question mark, or empty
 */
public record DriverAddress(String scheme, String user, String host, int port, String path, String query) {

    /**
     * @param ports schemes of the driver, each with its default port
     * @return the addresses of the setting, at least one
     * @throws ConfigurationException if there is none, or one is invalid
     */
    public static List<DriverAddress> of(Settings settings, Map<String, Integer> ports) {
        String text = settings.get(DriverKeys.ADDRESS);
        if (text.isEmpty()) {
            throw new ConfigurationException(DriverKeys.ADDRESS.name() + " is missing: client.driver="
                    + settings.get(DriverKeys.DRIVER) + " needs the address of a server, such as " + example(ports));
        }
        return Arrays.stream(text.split(",", -1)).map(address -> parsed(address.strip(), ports)).toList();
    }

    /** @return the password from the environment, or an empty text */
    public static String password() {
        String password = System.getenv(DriverKeys.PASSWORD_VARIABLE);
        return password == null ? "" : password;
    }

    /** @return true if its scheme asks for encryption */
    public boolean isEncrypted() {
        return scheme.equals("amqps") || scheme.equals("ssl");
    }

    /** @return one line for people that names several addresses */
    public static String names(List<DriverAddress> addresses) {
        return addresses.stream().map(DriverAddress::toString).collect(Collectors.joining(", "));
    }

    private static DriverAddress parsed(String text, Map<String, Integer> ports) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            // The exception's text contains the whole address, and with it perhaps a password.
            throw refused("is invalid at character " + (e.getIndex() + 1), ports);
        }
        if (uri.getScheme() == null || uri.getHost() == null || !ports.containsKey(uri.getScheme())) {
            throw refused("has no scheme of this driver", ports);
        }
        String user = uri.getUserInfo() == null ? "" : uri.getUserInfo();
        if (user.contains(":") || uri.getRawQuery() != null && uri.getRawQuery().contains("password")) {
            throw new ConfigurationException(DriverKeys.ADDRESS.name() + " has a password; move it into "
                    + DriverKeys.PASSWORD_VARIABLE + " of the environment");
        }
        return new DriverAddress(uri.getScheme(), user, uri.getHost(),
                uri.getPort() < 0 ? ports.get(uri.getScheme()) : uri.getPort(),
                uri.getPath() == null || uri.getPath().isEmpty() ? "" : uri.getPath().substring(1),
                uri.getRawQuery() == null ? "" : uri.getRawQuery());
    }

    private static ConfigurationException refused(String why, Map<String, Integer> ports) {
        return new ConfigurationException(DriverKeys.ADDRESS.name() + ": an address " + why + "; write "
                + example(ports));
    }

    private static String example(Map<String, Integer> ports) {
        return ports.keySet().stream().sorted()
                .map(scheme -> scheme + "://user@host:" + ports.get(scheme) + examplePath(scheme))
                .collect(Collectors.joining(" or "));
    }

    private static String examplePath(String scheme) {
        if (scheme.startsWith("amqp")) {
            return "/vhost";
        }
        return scheme.startsWith("postgres") ? "/database" : "";
    }

    @Override
    public String toString() {
        return scheme + "://" + (user.isEmpty() ? "" : user + "@") + host + ":" + port
                + (path.isEmpty() ? "" : "/" + path);
    }
}
