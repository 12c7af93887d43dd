package ch.ethz.mlmq.watch;

import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Reads the counters of an ActiveMQ broker for systems/activemq/serve.sh. It attaches to the broker's JVM as the same
 * user, so the broker needs no port for it. For each line on standard input it writes a line with these numbers:
 * messages in all queues, those of them delivered and not acknowledged, messages received and messages acknowledged
 * since the broker started, and connections.
 */
public final class ActiveMqFigures {
    private static final ObjectName[] NONE = {};
    private static final String[] OF_BROKER = {
            "TotalMessageCount", "TotalEnqueueCount", "TotalDequeueCount", "CurrentConnectionsCount"};

    private final MBeanServerConnection server;

    private ActiveMqFigures(MBeanServerConnection server) {
        this.server = server;
    }

    /**
     * Writes lines until standard input ends.
     *
     * @param args the process id of the broker
     * @throws Exception if the broker's JVM can no longer be reached
     */
    public static void main(String[] args) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(args[0]);
        String address = machine.startLocalManagementAgent();
        machine.detach();
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
            ActiveMqFigures figures = new ActiveMqFigures(connector.getMBeanServerConnection());
            while (questions.readLine() != null) {
                System.out.println(figures.line());
            }
        }
    }

    private String line() throws Exception {
        long[] broker = sums("org.apache.activemq:type=Broker,brokerName=*", OF_BROKER);
        long unacknowledged = sums("org.apache.activemq:type=Broker,brokerName=*,destinationType=Queue,*",
                "InFlightCount")[0];
        return broker[0] + " " + unacknowledged + " " + broker[1] + " " + broker[2] + " " + broker[3];
    }

    /** @return for each attribute, its sum over all objects that match the pattern */
    private long[] sums(String pattern, String... names) throws Exception {
        long[] sums = new long[names.length];
        Set<ObjectName> found = server.queryNames(new ObjectName(pattern), null);
        for (ObjectName name : found.toArray(NONE)) {
            AttributeList values = server.getAttributes(name, names);
            for (int i = 0; i < names.length; i++) {
                for (Attribute value : values.asList()) {
                    if (value.getName().equals(names[i]) && value.getValue() instanceof Number number) {
                        sums[i] += number.longValue();
                    }
                }
            }
        }
        return sums;
    }
}
