package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.ScenarioMapping.Place;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.scenario.Positions;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import ch.ethz.mlmq.scenario.settings.TopicKeys.Layout;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Connects to brokers of MLMQ, which the mapping of the run names. */
public final class MlmqDriver implements Driver {
    @Override
    public String name() {
        return "mlmq";
    }

    @Override
    public Set<FrameType> operations() {
        return EnumSet.allOf(FrameType.class);
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(DriverKeys.DRIVER, DriverKeys.TAKE, DriverKeys.PREFETCH, DriverKeys.SOURCE,
                DriverKeys.ACKNOWLEDGE);
    }

    @Override
    public void check(Settings settings, Scenario scenario) {
        int brokers = brokers(settings).size();
        boolean consumes = settings.get(DriverKeys.TAKE) == DriverKeys.Take.CONSUME;
        int credit = Math.max(settings.get(DriverKeys.PREFETCH), settings.get(ClientKeys.INFLIGHT_MAX));
        if (consumes && credit > Limits.MAX_LIST) {
            throw new ConfigurationException(DriverKeys.TAKE.name() + "=consume: " + DriverKeys.PREFETCH.name()
                    + " and " + ClientKeys.INFLIGHT_MAX.name() + " are at most " + Limits.MAX_LIST + " then, not "
                    + credit);
        }
        if (!consumes && settings.get(DriverKeys.PREFETCH) != 0) {
            throw new ConfigurationException(DriverKeys.PREFETCH.name() + " needs " + DriverKeys.TAKE.name()
                    + "=consume: nothing is pushed to clients that request each message");
        }
        Acknowledge.require(settings, "brokers of MLMQ have no transactions of several requests; choose each, batch "
                + "or none", Acknowledge.EACH, Acknowledge.BATCH, Acknowledge.NONE);
        if (consumes) {
            Acknowledge.require(settings, "consumers acknowledge what was pushed to them; leave it out with "
                    + DriverKeys.TAKE.name() + "=consume");
        }
        checkLayout(settings, brokers, consumes);
    }

    private static void checkLayout(Settings settings, int brokers, boolean consumes) {
        Layout layout = settings.get(TopicKeys.LAYOUT);
        if (layout == Layout.SHARED) {
            return;
        }
        String set = TopicKeys.LAYOUT.name() + "=" + layout.name().toLowerCase(Locale.ROOT);
        if (consumes) {
            throw new ConfigurationException(set + ": leave out " + DriverKeys.TAKE.name() + "=consume; brokers that "
                    + "share no topics are asked for each message");
        }
        String scenario = settings.get(CommonKeys.CLIENTS).at(settings.get(CommonKeys.MY_POSITION),
                CommonKeys.CLIENTS).scenario();
        int clients = Positions.clients(scenario, settings);
        if (scenario.equals(layout.owner()) && clients != brokers) {
            throw new ConfigurationException("%s gives each %s a broker of its own, and there are %d brokers for %d; "
                    .formatted(set, scenario, brokers, clients) + "set " + ClientKeys.CLIENTS.name() + " so that there "
                    + "are as many");
        }
    }

    @Override
    public LinkFactory links(Settings settings) {
        return new BrokerLinks(brokers(settings), settings);
    }

    private static List<BrokerAddress> brokers(Settings settings) {
        List<Place> places = settings.get(CommonKeys.BROKERS).places();
        if (places.isEmpty()) {
            throw new ConfigurationException(CommonKeys.BROKERS.name() + " names no broker");
        }
        return places.stream().map(place -> {
            if (place.port() == 0) {
                throw new ConfigurationException(CommonKeys.BROKERS.name() + ": " + place.host() + " needs a port");
            }
            return new BrokerAddress(place.host(), place.port());
        }).toList();
    }
}
