package ch.ethz.mlmq.protocol;

/**
 * Has one method for each kind of request; methods that are not overridden call {@link #other}.
 *
 * @param <R> type of the result
 * @param <X> exception that it may throw
 */
public interface RequestVisitor<R, X extends Exception> {
    R other(Request request) throws X;

    default R visit(Request.Register request) throws X {
        return other(request);
    }

    default R visit(Request.CreateQueue request) throws X {
        return other(request);
    }

    default R visit(Request.DeleteQueue request) throws X {
        return other(request);
    }

    default R visit(Request.LookupQueue request) throws X {
        return other(request);
    }

    default R visit(Request.LookupClient request) throws X {
        return other(request);
    }

    default R visit(Request.LookupClientQueue request) throws X {
        return other(request);
    }

    default R visit(Request.SendMessage request) throws X {
        return other(request);
    }

    default R visit(Request.SendMessageToClient request) throws X {
        return other(request);
    }

    default R visit(Request.SendRequestToClient request) throws X {
        return other(request);
    }

    default R visit(Request.SendResponseToClient request) throws X {
        return other(request);
    }

    default R visit(Request.SendMessages request) throws X {
        return other(request);
    }

    default R visit(Request.QueuesWithPendingMessages request) throws X {
        return other(request);
    }

    default R visit(Request.QueueLength request) throws X {
        return other(request);
    }

    default R visit(Request.PeekMessage request) throws X {
        return other(request);
    }

    default R visit(Request.DequeueMessage request) throws X {
        return other(request);
    }

    default R visit(Request.DequeueMessages request) throws X {
        return other(request);
    }

    default R visit(Request.ReceiveMessage request) throws X {
        return other(request);
    }

    default R visit(Request.Acknowledge request) throws X {
        return other(request);
    }

    default R visit(Request.Extend request) throws X {
        return other(request);
    }

    default R visit(Request.Release request) throws X {
        return other(request);
    }

    default R visit(Request.ReceiveMessages request) throws X {
        return other(request);
    }

    default R visit(Request.AcknowledgeMessages request) throws X {
        return other(request);
    }

    default R visit(Request.ExtendLeases request) throws X {
        return other(request);
    }

    default R visit(Request.ReleaseMessages request) throws X {
        return other(request);
    }

    default R visit(Request.Echo request) throws X {
        return other(request);
    }

    default R visit(Request.Authenticate request) throws X {
        return other(request);
    }

    default R visit(Statement request) throws X {
        return other(request);
    }

    default R visit(Request.Hello request) throws X {
        return other(request);
    }

    default R visit(Request.Cancel request) throws X {
        return other(request);
    }

    default R visit(TopicRequest.CreateTopic request) throws X {
        return other(request);
    }

    default R visit(TopicRequest.DeleteTopic request) throws X {
        return other(request);
    }

    default R visit(TopicRequest.LookupTopic request) throws X {
        return other(request);
    }

    default R visit(TopicRequest.Subscribe request) throws X {
        return other(request);
    }

    default R visit(MoveMessages request) throws X {
        return other(request);
    }

    default R visit(TopicRequest.Unsubscribe request) throws X {
        return other(request);
    }

    default R visit(TopicRequest.Publish request) throws X {
        return other(request);
    }
}
