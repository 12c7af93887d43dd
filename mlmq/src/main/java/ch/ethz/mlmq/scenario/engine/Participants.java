package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.recording.Recording;
import java.util.List;
import java.util.function.ToIntFunction;

/** The clients of a running load: those that take part, pauses, and waiting requests. */
final class Participants {
    private final OpenLoad open;
    private final LoadControl control;
    private final Recording recording;
    /** All clients; those that take part come first. */
    private volatile List<LoadClient> all = List.of();
    private int taking;
    private boolean started;

    /** @param open deals the arrivals; null if the load is closed */
    Participants(OpenLoad open, LoadControl control, Recording recording) {
        this.open = open;
        this.control = control;
        this.recording = recording;
    }

    /** Lets all of these take part from the start of the load; {@link #set} may change their number before it. */
    synchronized void begin(List<LoadClient> first, Timers timers) {
        all = first;
        taking = first.size();
        timers.at(control.plan().startNanos(), this::start);
        if (open != null) {
            open.begin(first);
        }
    }

    private synchronized void start() {
        started = true;
        all.subList(0, taking).forEach(LoadClient::join);
    }

    /**
     * Lets the first of these take part from now on, and the others no longer. The first start the waiting requests of
     * those that leave.
     *
     * @param clients all clients
     */
    synchronized void set(int count, List<LoadClient> clients) {
        List<LoadClient> wanted = clients.subList(0, count);
        all = clients;
        taking = count;
        if (started) {
            wanted.forEach(LoadClient::join);
        }
        if (open != null) {
            // This comes first, so that nothing is dealt to a client that leaves.
            open.clients(wanted);
        }
        List<LoadClient.Due> left = clients.subList(count, clients.size()).stream().map(LoadClient::leave)
                .flatMap(List::stream).toList();
        for (int i = 0; i < left.size(); i++) {
            if (wanted.isEmpty()) {
                recording.notStarted(left.get(i).intendedNanos());
            } else {
                wanted.get(i % count).arrive(left.get(i));
            }
        }
    }

    /** Lets nothing start from now on. */
    void pause() {
        if (open != null) {
            open.pause();
        }
        control.pause(true);
    }

    /** Starts waiting requests, without those that were planned during the pause. */
    void resume() {
        control.pause(false);
        if (open != null) {
            open.resume();
        }
        all.forEach(LoadClient::wake);
    }

    /** Starts the requests that are due by now, even if the load is paused. */
    void finishWaiting() {
        if (open != null) {
            open.finish();
        }
        control.pause(false);
        all.forEach(LoadClient::wake);
    }

    /** Starts no more requests; those that did not start are counted. */
    void close() {
        control.close();
        for (LoadClient client : all) {
            for (long intended : client.giveUpWaiting()) {
                recording.notStarted(intended);
            }
        }
    }

    /** @return number of clients that take part */
    synchronized int taking() {
        return taking;
    }

    /** @return number of requests in flight */
    int inFlight() {
        return sum(LoadClient::inFlight);
    }

    /** @return number of requests that wait to start */
    int waiting() {
        return sum(LoadClient::waiting);
    }

    private int sum(ToIntFunction<LoadClient> count) {
        return all.stream().mapToInt(count).sum();
    }
}
