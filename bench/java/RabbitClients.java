import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What RabbitMQ does for a program that knows nothing but its client library: the yardstick of our driver. A thread and
 * a connection a client; each client sends and takes at random, or sends and consumes with many under way.
 */
public final class RabbitClients {
    private static final AMQP.BasicProperties PERSISTENT =
            new AMQP.BasicProperties.Builder().deliveryMode(2).priority(0).build();

    private final String[] queues;
    private final LongAdder done = new LongAdder();
    private volatile boolean ended;

    private RabbitClients(String prefix, int queues) {
        this.queues = new String[queues];
        for (int i = 0; i < queues; i++) {
            this.queues[i] = prefix + ".queue" + (i + 1);
        }
    }

    /** @param arguments port, prefix, queues, clients, requests under way of each, seconds */
    public static void main(String[] arguments) throws Exception {
        int clients = Integer.parseInt(arguments[3]);
        int underWay = Integer.parseInt(arguments[4]);
        int seconds = Integer.parseInt(arguments[5]);
        RabbitClients run = new RabbitClients(arguments[1], Integer.parseInt(arguments[2]));
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(Integer.parseInt(arguments[0]));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Connection connection = factory.newConnection();
            int number = i;
            threads.add(new Thread(() -> {
                try {
                    if (underWay == 1) {
                        run.oneByOne(connection);
                    } else {
                        run.manyAtATime(connection, number, clients, underWay);
                    }
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        TimeUnit.SECONDS.sleep(Math.max(2, seconds / 2));
        long before = run.done.sum();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double rate = (run.done.sum() - before) / ((System.nanoTime() - start) / 1e9);
        System.out.println(Math.round(rate));
        run.ended = true;
        System.exit(0);
    }

    private void oneByOne(Connection connection) throws IOException, InterruptedException {
        Channel sending = connection.createChannel();
        Channel taking = connection.createChannel();
        sending.confirmSelect();
        byte[] content = new byte[100];
        while (!ended) {
            String queue = queues[ThreadLocalRandom.current().nextInt(queues.length)];
            if (ThreadLocalRandom.current().nextBoolean()) {
                sending.basicPublish("", queue, true, PERSISTENT, content);
                sending.waitForConfirms();
            } else {
                GetResponse got = taking.basicGet(queue, false);
                if (got != null) {
                    taking.basicAck(got.getEnvelope().getDeliveryTag(), false);
                }
            }
            done.increment();
        }
    }

    /**
     * All that a client has under way are sends, as messages to take are pushed before they are wanted. It takes one
     * for each that was confirmed, so that its queues stay as long as they were: RabbitMQ has less to do with a message
     * that somebody waits for.
     */
    private void manyAtATime(Connection connection, int number, int clients, int underWay)
            throws IOException, InterruptedException {
        Taker taker = new Taker(connection.createChannel(), underWay);
        for (int queue = number % queues.length; queue < queues.length; queue += clients) {
            taker.consume(queues[queue]);
        }
        Channel sending = connection.createChannel();
        Semaphore room = new Semaphore(underWay);
        ConcurrentSkipListSet<Long> unconfirmed = new ConcurrentSkipListSet<>();
        sending.confirmSelect();
        sending.addConfirmListener((last, multiple) -> {
            int confirmed = 0;
            if (multiple) {
                var upTo = unconfirmed.headSet(last, true);
                while (upTo.pollFirst() != null) {
                    confirmed++;
                }
            } else if (unconfirmed.remove(last)) {
                confirmed = 1;
            }
            done.add(confirmed);
            room.release(confirmed);
            taker.take(confirmed);
        }, (last, multiple) -> { });
        byte[] content = new byte[100];
        while (!ended) {
            room.acquire();
            unconfirmed.add(sending.getNextPublishSeqNo());
            sending.basicPublish("", queues[ThreadLocalRandom.current().nextInt(queues.length)], true, PERSISTENT,
                    content);
        }
    }

    /** Acknowledges as many of the messages that are pushed as it is told to take. */
    private final class Taker {
        private final Channel channel;
        private final Deque<Long> pushed = new ArrayDeque<>();
        private int wanted;

        private Taker(Channel channel, int prefetch) throws IOException {
            this.channel = channel;
            channel.basicQos(prefetch);
        }

        private void consume(String queue) throws IOException {
            channel.basicConsume(queue, false, new DefaultConsumer(channel) {
                @Override
                public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties,
                        byte[] content) throws IOException {
                    synchronized (pushed) {
                        pushed.add(envelope.getDeliveryTag());
                    }
                    take(0);
                }
            });
        }

        private void take(int more) throws IOException {
            synchronized (pushed) {
                wanted += more;
                for (; wanted > 0 && !pushed.isEmpty(); wanted--) {
                    channel.basicAck(pushed.poll(), false);
                    done.increment();
                }
            }
        }
    }
}
