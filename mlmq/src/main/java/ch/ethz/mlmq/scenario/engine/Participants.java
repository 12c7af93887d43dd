package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.recording.Recording;
import java.util.List;
import java.util.function.ToIntFunction;

/** The clients of a load while it runs: who takes part, whether anything starts, what waits. */
final class Participants {
    private final OpenLoad open;
    private final LoadControl control;
    private final Recording recording;
    /** All there are, those that take part first. */
    private volatile List<LoadClient> all = List.of();
    private int taking;
    private boolean started;

    /** @param open deals the arrivals; null where the load is closed */
    Participants(OpenLoad open, LoadControl control, Recording recording) {
        this.open = open;
        this.control = control;
        this.recording = recording;
    }

    /** All of these take part, from the start of the load on; until then {@link #set} may change that. */
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
     * The first of these take part from now on, and the others no longer. What waits at those is started by the first.
     *
     * @param clients all there are
     */
    synchronized void set(int count, List<LoadClient> clients) {
        List<LoadClient> wanted = clients.subList(0, count);
        all = clients;
        taking = count;
        if (started) {
            wanted.forEach(LoadClient::join);
        }
        if (open != null) {
            // before any leaves: nothing is dealt to it any more
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

    /** Nothing starts from now on. */
    void pause() {
        if (open != null) {
            open.pause();
        }
        control.pause(true);
    }

    /** What waits starts now, without what would have arrived meanwhile. */
    void resume() {
        control.pause(false);
        if (open != null) {
            open.resume();
        }
        all.forEach(LoadClient::wake);
    }

    /** Lets what was to start by now start, whether or not the load is paused. */
    void finishWaiting() {
        if (open != null) {
            open.finish();
        }
        control.pause(false);
        all.forEach(LoadClient::wake);
    }

    /** Starts nothing any more; what was to start and did not is counted. */
    void close() {
        control.close();
        for (LoadClient client : all) {
            for (long intended : client.giveUpWaiting()) {
                recording.notStarted(intended);
            }
        }
    }

    /** @return how many take part */
    synchronized int taking() {
        return taking;
    }

    /** @return requests that wait for their answer */
    int underWay() {
        return sum(LoadClient::underWay);
    }

    /** @return requests that were to start and could not yet */
    int waiting() {
        return sum(LoadClient::waiting);
    }

    private int sum(ToIntFunction<LoadClient> count) {
        return all.stream().mapToInt(count).sum();
    }
}
