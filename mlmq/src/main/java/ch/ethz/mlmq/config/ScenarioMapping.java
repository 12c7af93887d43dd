package ch.ethz.mlmq.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Scenario and address of each JVM of a role, written {@code Name#host:port,host:port;Name#host}.
 *
 * <p>Positions count from 0 over all groups, in the order of writing.
 *
 * @param places one for each JVM of the role
 */
public record ScenarioMapping(List<Place> places) {
    /** A mapping without any JVM. */
    public static final ScenarioMapping EMPTY = new ScenarioMapping(List.of());
    /** The syntax of a mapping. */
    public static final Grammar<ScenarioMapping> GRAMMAR =
            Grammar.of("Name#host:port,host:port;Name#host", ScenarioMapping::parse);

    private static final int NO_PORT = 0;
    private static final int LAST_PORT = 65_535;

    public ScenarioMapping {
        places = List.copyOf(places);
    }

    /**
     * One JVM.
     *
     * @param scenario name of the scenario that it runs
     * @param host     host that it runs on
     * @param port     port that it listens on, or 0 if none is given
     */
    public record Place(String scenario, String host, int port) {
        @Override
        public String toString() {
            return port == NO_PORT ? host : host + ":" + port;
        }
    }

    /**
     * @param position from 0
     * @param key      key of the mapping, for the message
     * @throws ConfigurationException if there is no such position
     */
    public Place at(int position, Key<?> key) {
        if (position >= places.size()) {
            throw new ConfigurationException(CommonKeys.MY_POSITION.name() + "=" + position + ": " + key.name()
                    + " has " + (places.isEmpty() ? "no position" : "positions 0.." + (places.size() - 1)));
        }
        return places.get(position);
    }

    private static ScenarioMapping parse(String text) {
        if (text.isEmpty()) {
            return EMPTY;
        }
        List<Place> places = new ArrayList<>();
        for (String group : text.split(";", -1)) {
            parseGroup(group.strip(), places);
        }
        Set<String> taken = new HashSet<>();
        for (Place place : places) {
            Grammar.require(place.port == NO_PORT || taken.add(place.toString()), "%s is there twice", place);
        }
        return new ScenarioMapping(places);
    }

    private static void parseGroup(String group, List<Place> places) {
        int hash = group.lastIndexOf('#');
        Grammar.require(hash > 0 && hash < group.length() - 1, "'%s' must read Name#host or Name#host:port,host:port",
                group);
        String scenario = group.substring(0, hash).strip();
        for (String address : group.substring(hash + 1).split(",", -1)) {
            places.add(place(scenario, address.strip()));
        }
    }

    private static Place place(String scenario, String address) {
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? address : address.substring(0, colon);
        Grammar.require(!host.isEmpty() && host.chars().noneMatch(Character::isWhitespace),
                "'%s' must read host or host:port", address);
        return new Place(scenario, host, colon < 0 ? NO_PORT : port(address, address.substring(colon + 1)));
    }

    private static int port(String address, String text) {
        try {
            int port = Integer.parseInt(text);
            Grammar.require(port >= 1 && port <= LAST_PORT, "the port of '%s' must be 1..65535", address);
            return port;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the port of '" + address + "' must be a number", e);
        }
    }
}
