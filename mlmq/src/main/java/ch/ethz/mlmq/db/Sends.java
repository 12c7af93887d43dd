package ch.ethz.mlmq.db;

import ch.ethz.mlmq.protocol.Request;

/** What the requests that send one message have in common. */
final class Sends {
    private Sends() {
    }

    static int priority(Request request) {
        return switch (request.type()) {
            case SEND_MESSAGE -> ((Request.SendMessage) request).priority();
            case SEND_MESSAGE_TO_CLIENT -> ((Request.SendMessageToClient) request).priority();
            case SEND_REQUEST_TO_CLIENT -> ((Request.SendRequestToClient) request).priority();
            case SEND_RESPONSE_TO_CLIENT -> ((Request.SendResponseToClient) request).priority();
            default -> throw new IllegalArgumentException(request.type() + " sends no single message");
        };
    }

    static byte[] content(Request request) {
        return switch (request.type()) {
            case SEND_MESSAGE -> ((Request.SendMessage) request).content();
            case SEND_MESSAGE_TO_CLIENT -> ((Request.SendMessageToClient) request).content();
            case SEND_REQUEST_TO_CLIENT -> ((Request.SendRequestToClient) request).content();
            case SEND_RESPONSE_TO_CLIENT -> ((Request.SendResponseToClient) request).content();
            default -> throw new IllegalArgumentException(request.type() + " sends no single message");
        };
    }
}
