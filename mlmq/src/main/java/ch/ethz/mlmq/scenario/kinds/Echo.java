package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import java.util.Set;

/** Lets the broker echo bytes, to measure the middleware alone, without its database. */
public final class Echo implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("Echo", "asks the broker to send bytes back; the database "
            + "is not used",
            Set.of(), Echo::new).using(FrameType.ECHO);

    private final ClientContext context;

    Echo(ClientContext context) {
        this.context = context;
    }

    @Override
    public Request next() {
        return new Request.Echo(context.messages().next());
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        Received.echo((Request.Echo) request, (Response.Echoed) response);
    }
}
