package ch.ethz.mlmq.driver.jms;

import java.io.File;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.region.policy.PolicyEntry;
import org.apache.activemq.broker.region.policy.PolicyMap;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;
import org.apache.activemq.store.kahadb.disk.journal.Journal.JournalDiskSyncStrategy;

/** ActiveMQ with KahaDB, whose journal is synced for each write, in a process of its own. */
public final class BrokerProgram {
    private BrokerProgram() {
    }

    /** @param arguments a port, a folder, and {@code priorities} where queues are to heed them */
    public static void main(String[] arguments) throws Exception {
        KahaDBPersistenceAdapter store = new KahaDBPersistenceAdapter();
        store.setDirectory(new File(arguments[1], "kahadb"));
        store.setJournalDiskSyncStrategy(JournalDiskSyncStrategy.ALWAYS.name());
        PolicyEntry every = new PolicyEntry();
        every.setQueue(">");
        every.setPrioritizedMessages(arguments.length > 2);
        PolicyMap policies = new PolicyMap();
        policies.setDefaultEntry(every);
        BrokerService broker = new BrokerService();
        broker.setUseJmx(false);
        broker.setPersistenceAdapter(store);
        broker.setDataDirectoryFile(new File(arguments[1]));
        broker.setDestinationPolicy(policies);
        broker.addConnector("tcp://127.0.0.1:" + arguments[0]);
        broker.start();
        broker.waitUntilStopped();
    }
}
