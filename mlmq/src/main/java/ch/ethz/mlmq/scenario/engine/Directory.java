package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.Pairs;
import ch.ethz.mlmq.scenario.Positions;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.link.BrokerLinks;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Looks up what clients of all JVMs share by well-known names: public queues, peers, partners. */
final class Directory {
    private static final int BATCH = BrokerLinks.PREPARING_INFLIGHT / 2;
    private static final long BETWEEN_LOOKS_NANOS = 100_000_000;

    private final Scenario scenario;
    private final Settings settings;
    private int[] everybody;

    Directory(Scenario scenario, Settings settings) {
        this.scenario = scenario;
        this.settings = settings;
    }

    /** @return ids of the public queues; missing ones are created */
    int[] publicQueues(Member member, long deadline) throws LoadException {
        String[] names = settings.get(ClientKeys.QUEUES).numbers().mapToObj(Directory::queueName)
                .toArray(String[]::new);
        int[] ids = new int[names.length];
        for (int first = 0; first < ids.length; first += BATCH) {
            int count = Math.min(BATCH, ids.length - first);
            List<Question> lookups = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                lookups.add(new Question(member, lookup(names[first + i])));
            }
            Question.settle(lookups, deadline);
            for (int i = 0; i < count; i++) {
                ids[first + i] = foundOrCreated(member, names[first + i], lookups.get(i), deadline);
            }
        }
        return ids;
    }

    /** @return ids of the other clients of this scenario, in all JVMs; at least one */
    synchronized int[] peers(Member member, long deadline) throws LoadException {
        if (everybody == null) {
            everybody = everybody(member, deadline);
        }
        List<Integer> others = new ArrayList<>();
        for (int id : everybody) {
            if (id != member.registered().client()) {
                others.add(id);
            }
        }
        if (others.isEmpty()) {
            throw new LoadException(scenario.name()
                    + " needs at least one other client of its kind, and there is none");
        }
        return others.stream().mapToInt(Integer::intValue).toArray();
    }

    /** @return id of the partner */
    int partner(Member member, long deadline) {
        ClientId partner = Pairs.partnerOf(member.id(), Positions.of(scenario.name(), settings));
        try {
            return await(member, partner, deadline);
        } catch (MlmqException e) {
            throw new ConfigurationException(member.id().name() + " has no partner: " + partner.name()
                    + " did not register within " + settings.get(ClientKeys.CONNECT_WITHIN).toMillis() + " ms ("
                    + e.getMessage() + ")", e);
        }
    }

    /** @return id of the queue of this client and its counterpart, which may be of another scenario */
    int pairQueue(Member member, long deadline) throws LoadException {
        int ordinal = Positions.of(scenario.name(), settings).indexOf(member.id().position());
        String name = "pair_" + ordinal + "_" + member.id().number();
        return foundOrCreated(member, name, new Question(member, lookup(name)), deadline);
    }

    private int[] everybody(Member member, long deadline) throws LoadException {
        List<Integer> ids = new ArrayList<>();
        for (int position : Positions.of(scenario.name(), settings)) {
            try {
                ids.add(await(member, new ClientId(scenario.name(), position, 0), deadline));
                addOthers(member, position, ids, deadline);
            } catch (MlmqException e) {
                String failed = e.status() == Status.CLIENT_DOES_NOT_EXIST ? "did not register" : "was not found";
                throw new LoadException("client " + position + " of the mapping " + failed + " within "
                        + settings.get(ClientKeys.CONNECT_WITHIN).toMillis() + " ms: " + e.getMessage());
            }
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Adds the other clients of a JVM up to the first that is missing, as the first client registers last. Adds no more
     * than this JVM's own number, because those beyond may be from an earlier run.
     */
    private void addOthers(Member member, int position, List<Integer> ids, long deadline) {
        int most = settings.get(ClientKeys.STEPS).most(settings.get(ClientKeys.CLIENTS));
        for (int first = 1; first < most; first += BATCH) {
            List<Question> lookups = new ArrayList<>();
            for (int number = first; number < Math.min(most, first + BATCH); number++) {
                lookups.add(new Question(member,
                        new Request.LookupClient(new ClientId(scenario.name(), position, number).name())));
            }
            Question.settle(lookups, deadline);
            for (Question lookup : lookups) {
                try {
                    ids.add(((Response.ClientFound) lookup.response(deadline)).client());
                } catch (MlmqException.ClientDoesNotExist e) {
                    return;
                }
            }
        }
    }

    /** @return id of the client, which must register by the deadline */
    private int await(Member member, ClientId wanted, long deadline) {
        while (true) {
            try {
                Request request = new Request.LookupClient(wanted.name());
                return ((Response.ClientFound) member.askUntil(request, deadline)).client();
            } catch (MlmqException.ClientDoesNotExist e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    private int foundOrCreated(Member member, String name, Question lookup, long deadline)
            throws LoadException {
        try {
            return ((Response.QueueFound) lookup.response(deadline)).queue();
        } catch (MlmqException.QueueDoesNotExist e) {
            return created(member, name, deadline);
        } catch (MlmqException e) {
            throw new LoadException("the queue " + name + " could not be found: " + e.getMessage());
        }
    }

    private int created(Member member, String name, long deadline) throws LoadException {
        try {
            return createdOrFound(member, name, deadline);
        } catch (MlmqException e) {
            throw new LoadException("the queue " + name + " could not be created: " + e.getMessage());
        }
    }

    private static int createdOrFound(Member member, String name, long deadline) {
        try {
            return ((Response.QueueFound) member.askUntil(new Request.CreateQueue(name), deadline)).queue();
        } catch (MlmqException.QueueExists e) {
            return ((Response.QueueFound) member.askUntil(lookup(name), deadline)).queue();
        }
    }

    private static Request lookup(String queue) {
        return new Request.LookupQueue(queue);
    }

    /** Names queues as {@code dbscript -fill} does, so that a load finds the filled ones. */
    private static String queueName(int number) {
        return "queue" + number;
    }
}
