package ch.ethz.mlmq.driver.jms;

import javax.jms.JMSException;
import org.apache.activemq.ActiveMQConnection;

/** The connection of a client, which its sessions share. It ends with the last of them. Thread-safe. */
final class SharedConnection {
    private ActiveMQConnection current;
    private int users;

    /** Makes a connection. */
    interface Opening {
        ActiveMQConnection open() throws JMSException;
    }

    /** @return the connection; another one if it was lost */
    synchronized ActiveMQConnection join(Opening opening) throws JMSException {
        if (current == null || current.isTransportFailed() || current.isClosed()) {
            current = opening.open();
            users = 0;
        }
        users++;
        return current;
    }

    /** @return true if the connection has ended with it */
    boolean leave(ActiveMQConnection left) throws JMSException {
        synchronized (this) {
            if (left == current && --users > 0 && !left.isTransportFailed()) {
                return false;
            }
            if (left == current) {
                current = null;
            }
        }
        left.close();
        return true;
    }
}
