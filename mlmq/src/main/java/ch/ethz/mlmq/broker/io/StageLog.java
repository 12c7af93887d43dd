package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.broker.status.Counters;
import ch.ethz.mlmq.log.Action;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Call;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Writes the stages of an exchange to the performance log together, after its response is written. */
public final class StageLog {
    private static final Action TOTAL = Action.named("BTotReqResp");
    private static final Action RECEIVE = Action.named("BRcvReq");
    private static final Action QUEUE = Action.named("BQueue");
    private static final Action WAIT = Action.named("BWait");
    private static final Action POOL = Action.named("BPool");
    private static final Action RESPONSE_QUEUE = Action.named("BRespQueue");
    private static final Action SEND = Action.named("BSndResp");

    private final Recorder recorder;
    private final int sample;
    private final Counters counters;
    private final Map<FrameType, Action> databases = new EnumMap<>(FrameType.class);
    private final Map<FrameType, Map<FrameType, Action>> processed = new EnumMap<>(FrameType.class);
    private final Map<FrameType, Map<Status, Action>> failed = new EnumMap<>(FrameType.class);

    /**
     * @param recorder gets the stages
     * @param sample   one request in so many is recorded, at random; 0 for none
     */
    public StageLog(Recorder recorder, int sample, Counters counters) {
        this.recorder = recorder;
        this.sample = sample;
        this.counters = counters;
        for (FrameType request : FrameType.values()) {
            if (request.isRequest()) {
                databases.put(request, Action.named("BDb#" + request.label()));
                processed.put(request, answers(request));
                failed.put(request, failures(request));
            }
        }
    }

    /** @return true if the next request is to be recorded */
    boolean isSampled() {
        return sample == 1 || sample > 0 && ThreadLocalRandom.current().nextInt(sample) == 0;
    }

    /** @param writtenNanos when the operating system took the last byte of the response [ns] */
    void record(Exchange exchange, long writtenNanos) {
        Stages stages = exchange.stages();
        Call call = exchange.call();
        int clients = counters.clients.get();
        recorder.record(RECEIVE, stages.receivedNanos(), stages.decodedNanos(), clients);
        if (stages.takenNanos() != 0) {
            if (stages.waitingNanos() != 0) {
                recorder.record(WAIT, stages.waitingNanos(),
                        stages.overNanos() == 0 ? stages.queuedNanos() : stages.overNanos(), clients);
            }
            recorder.record(QUEUE, stages.queuedNanos(), stages.takenNanos(), clients);
            if (call.poolEndNanos() != 0) {
                recorder.record(POOL, call.poolStartNanos(), call.poolEndNanos(), clients);
            }
            if (call.databaseEndNanos() != 0) {
                recorder.record(databases.get(exchange.request().type()), call.databaseStartNanos(),
                        call.databaseEndNanos(), clients);
            }
            recorder.record(process(exchange), stages.takenNanos(), stages.processedNanos(), clients,
                    Recorder.inBatchOf(stages.batch()));
            recorder.record(RESPONSE_QUEUE, stages.overNanos() == 0 ? stages.processedNanos() : stages.overNanos(),
                    stages.sendingNanos(), clients);
        }
        recorder.record(SEND, stages.sendingNanos(), writtenNanos, clients);
        recorder.record(TOTAL, stages.receivedNanos(), writtenNanos, clients);
    }

    private Action process(Exchange exchange) {
        FrameType request = exchange.request().type();
        return exchange.response() instanceof Response.Failure failure ? failed.get(request).get(failure.status())
                : processed.get(request).get(exchange.response().type());
    }

    private static Map<FrameType, Action> answers(FrameType request) {
        Map<FrameType, Action> actions = new EnumMap<>(FrameType.class);
        for (FrameType response : FrameType.values()) {
            if (!response.isRequest()) {
                actions.put(response, Action.named("BProcReq#" + request.label() + ":" + response.label()));
            }
        }
        return actions;
    }

    private static Map<Status, Action> failures(FrameType request) {
        Map<Status, Action> actions = new EnumMap<>(Status.class);
        for (Status status : Status.values()) {
            actions.put(status, Action.named("BProcReq#" + request.label() + ":" + status));
        }
        return actions;
    }
}
