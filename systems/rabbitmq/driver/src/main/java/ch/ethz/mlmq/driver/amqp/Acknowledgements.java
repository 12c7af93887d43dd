package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The channels of one connection whose deliveries may be acknowledged by their leases. */
final class Acknowledgements {
    private final Map<Long, AckChannel> channels = new ConcurrentHashMap<>();

    private final Acknowledge way;

    Acknowledgements(Acknowledge way) {
        this.way = way;
    }

    /** @return the channel with its deliveries, of which there are none yet */
    AckChannel on(Channel channel) throws IOException {
        if (way == Acknowledge.TRANSACTED) {
            channel.txSelect();
        }
        AckChannel made = new AckChannel(channel, way);
        channels.put(made.token(), made);
        return made;
    }

    /** @return for each lease OK, or UNKNOWN_LEASE if it is of another connection or was acknowledged before */
    List<Status> of(List<Lease> leases) throws IOException {
        Map<Long, List<Long>> tags = new LinkedHashMap<>();
        leases.forEach(lease -> tags.computeIfAbsent(lease.token(), token -> new ArrayList<>()).add(lease.message()));
        Set<Lease> settled = new HashSet<>();
        for (Map.Entry<Long, List<Long>> ofChannel : tags.entrySet()) {
            AckChannel channel = channels.get(ofChannel.getKey());
            if (channel != null) {
                channel.acknowledge(ofChannel.getValue())
                        .forEach(tag -> settled.add(new Lease(tag, ofChannel.getKey())));
            }
        }
        return leases.stream().map(lease -> settled.contains(lease) ? Status.OK : Status.UNKNOWN_LEASE).toList();
    }
}
