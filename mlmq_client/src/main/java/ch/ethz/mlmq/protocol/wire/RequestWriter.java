package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.List;

/** Writes the fields of a request, in the order of the wire format. */
final class RequestWriter implements RequestVisitor<Void, RuntimeException> {
    private final FieldWriter out;

    RequestWriter(FieldWriter out) {
        this.out = out;
    }

    /** The other requests have no fields. */
    @Override
    public Void other(Request request) {
        return null;
    }

    @Override
    public Void visit(Request.Hello hello) {
        out.int32(Request.Hello.MAGIC);
        out.int32(hello.version());
        out.int64(hello.features());
        out.string(hello.software());
        if (hello.payloadMax() != 0) {
            out.int32(hello.payloadMax());
        }
        return null;
    }

    @Override
    public Void visit(Request.Register register) {
        out.string(register.name());
        if (register.token() != 0) {
            out.int64(register.token());
        }
        return null;
    }

    @Override
    public Void visit(Statement statement) {
        out.string(statement.text());
        return null;
    }

    @Override
    public Void visit(Request.CreateQueue create) {
        out.string(create.name());
        return null;
    }

    @Override
    public Void visit(Request.DeleteQueue delete) {
        out.int32(delete.queue());
        out.bool(delete.onlyIfEmpty());
        return null;
    }

    @Override
    public Void visit(Request.LookupQueue lookup) {
        out.string(lookup.name());
        return null;
    }

    @Override
    public Void visit(Request.LookupClient lookup) {
        out.string(lookup.name());
        return null;
    }

    @Override
    public Void visit(Request.LookupClientQueue lookup) {
        out.int32(lookup.client());
        out.string(lookup.name());
        return null;
    }

    @Override
    public Void visit(Request.SendMessage send) {
        out.int32s(send.queues());
        out.int32(send.receiver());
        out.int32(send.priority());
        out.int64(send.context());
        out.string(send.key());
        out.bytes(send.content());
        if (!send.properties().isEmpty()) {
            out.bytes(send.properties().encoded());
        }
        return null;
    }

    @Override
    public Void visit(Request.SendMessageToClient send) {
        out.int32(send.client());
        out.int32(send.priority());
        out.bytes(send.content());
        return null;
    }

    @Override
    public Void visit(Request.SendRequestToClient send) {
        out.int32(send.client());
        out.int32(send.priority());
        out.bytes(send.content());
        return null;
    }

    @Override
    public Void visit(Request.SendResponseToClient send) {
        out.int32(send.client());
        out.int64(send.context());
        out.int32(send.priority());
        out.bytes(send.content());
        return null;
    }

    @Override
    public Void visit(Request.SendMessages bulk) {
        out.int32(bulk.messages().size());
        bulk.messages().forEach(this::write);
        out.properties(bulk.messages(), OutgoingMessage::properties);
        return null;
    }

    @Override
    public Void visit(Request.QueuesWithPendingMessages pending) {
        out.int32(pending.max());
        if (pending.toMe()) {
            out.bool(true);
        }
        return null;
    }

    @Override
    public Void visit(Request.QueueLength length) {
        out.int32(length.queue());
        return null;
    }

    @Override
    public Void visit(Request.PeekMessage peek) {
        write(peek.query());
        filter(peek.query());
        return null;
    }

    @Override
    public Void visit(Request.DequeueMessage dequeue) {
        write(dequeue.query());
        filter(dequeue.query());
        return null;
    }

    @Override
    public Void visit(Request.DequeueMessages dequeue) {
        write(dequeue.query());
        out.int32(dequeue.max());
        filter(dequeue.query());
        return null;
    }

    @Override
    public Void visit(Request.ReceiveMessage receive) {
        write(receive.query());
        out.int32(receive.leaseMillis());
        filter(receive.query());
        return null;
    }

    @Override
    public Void visit(Request.Acknowledge acknowledge) {
        out.int64(acknowledge.message());
        out.int64(acknowledge.leaseToken());
        return null;
    }

    @Override
    public Void visit(Request.Extend extend) {
        out.int64(extend.message());
        out.int64(extend.leaseToken());
        out.int32(extend.leaseMillis());
        return null;
    }

    @Override
    public Void visit(Request.Release release) {
        out.int64(release.message());
        out.int64(release.leaseToken());
        return null;
    }

    @Override
    public Void visit(Request.ReceiveMessages receive) {
        write(receive.query());
        out.int32(receive.max());
        out.int32(receive.leaseMillis());
        filter(receive.query());
        return null;
    }

    @Override
    public Void visit(Request.AcknowledgeMessages acknowledge) {
        write(acknowledge.leases());
        return null;
    }

    @Override
    public Void visit(Request.ExtendLeases extend) {
        write(extend.leases());
        out.int32(extend.leaseMillis());
        return null;
    }

    @Override
    public Void visit(Request.ReleaseMessages release) {
        write(release.leases());
        return null;
    }

    @Override
    public Void visit(Request.Cancel cancel) {
        out.int32(cancel.request());
        return null;
    }

    @Override
    public Void visit(Request.Authenticate step) {
        out.string(step.mechanism());
        out.bytes(step.data());
        return null;
    }

    @Override
    public Void visit(TopicRequest.CreateTopic create) {
        out.string(create.name());
        return null;
    }

    @Override
    public Void visit(TopicRequest.DeleteTopic delete) {
        out.int32(delete.topic());
        return null;
    }

    @Override
    public Void visit(TopicRequest.LookupTopic lookup) {
        out.string(lookup.name());
        return null;
    }

    @Override
    public Void visit(TopicRequest.Subscribe subscribe) {
        out.int32(subscribe.topic());
        out.string(subscribe.name());
        out.string(subscribe.filter());
        out.bool(subscribe.durable());
        return null;
    }

    @Override
    public Void visit(MoveMessages move) {
        out.int32(move.queue());
        out.int32(move.target());
        out.int32(move.max());
        return null;
    }

    @Override
    public Void visit(TopicRequest.Unsubscribe unsubscribe) {
        out.int32(unsubscribe.topic());
        out.string(unsubscribe.name());
        return null;
    }

    @Override
    public Void visit(TopicRequest.Publish publish) {
        out.int32(publish.topic());
        out.int32(publish.priority());
        out.int64(publish.context());
        out.string(publish.key());
        out.bytes(publish.content());
        out.bytes(publish.properties().encoded());
        return null;
    }

    @Override
    public Void visit(Request.Echo echo) {
        out.bytes(echo.content());
        return null;
    }

    private void write(OutgoingMessage message) {
        out.int32(message.queue());
        out.int32(message.receiver());
        out.int32(message.priority());
        out.int64(message.context());
        out.string(message.key());
        out.bytes(message.content());
    }

    private void write(List<Lease> leases) {
        out.int32(leases.size());
        for (Lease lease : leases) {
            out.int64(lease.message());
            out.int64(lease.token());
        }
    }

    private void filter(MessageQuery query) {
        if (!query.filter().isEmpty()) {
            out.string(query.filter());
        }
    }

    private void write(MessageQuery query) {
        out.int32(query.queue());
        out.int32(query.sender());
        out.int64(query.context());
        out.bool(query.toMe());
        out.int8(query.order().ordinal());
        out.int32(query.waitMillis());
    }
}
