package ch.ethz.mlmq.client.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.StubBroker;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SyntaxTest {
    private static final String USAGE =
            "; usage: dequeueMany [--mine] [--oldest] [--context N] [--filter FILTER] [--from CLIENT] [--wait TIME] "
                    + "MAX [QUEUE]";

    private StubBroker broker;
    private Client client;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        broker = new StubBroker((peer, id, request) -> peer.answer(id, request instanceof Request.DequeueMessages
                ? new Response.Deliveries(List.of()) : Response.Done.INSTANCE));
        client = Client.connect(ClientConfig.of(broker.address()));
        shell = new Shell(client);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    @Test
    void shouldReadWordsAndOptionsInAnyOrder() {
        shell.run("dequeueMany --wait 2min 7 --mine #3 --context 12345678901");

        assertThat(broker.received()).containsExactly(new Request.DequeueMessages(
                MessageQuery.queue(3).withContext(12_345_678_901L).addressedToMe().waiting(120_000), 7));
    }

    @Test
    void shouldForgetTheOptionsOfTheLineBefore() {
        shell.run("dequeueMany 7 --wait 2min --mine --oldest");
        shell.run("dequeueMany 8");

        assertThat(broker.received()).last().isEqualTo(new Request.DequeueMessages(MessageQuery.any(), 8));
    }

    @Test
    void shouldTakeAsTextWhatFollowsTwoDashesOrBeginsWithOne() {
        shell.run("sendMany #3 -- --mine @file ${x}");
        shell.run("sendMany #3 -5 -x @file");

        assertThat(sent(0)).containsExactly("--mine", "@file", "${x}");
        assertThat(sent(1)).containsExactly("-5", "-x", "@file");
    }

    @Test
    void shouldLetTheLastOfSeveralOptionsHold() {
        shell.run("dequeueMany 1 --wait 1s --wait 2s");

        assertThat(broker.received()).containsExactly(
                new Request.DequeueMessages(MessageQuery.any().waiting(2_000), 1));
    }

    @Test
    void shouldSayWhatDoesNotFitTheUsage() {
        assertWrong("dequeueMany", "Missing required parameter: 'MAX'");
        assertWrong("dequeueMany 1 b c", "\"c\" is one argument too many; quote a text of several words");
        assertWrong("dequeueMany 1 --weight 1", "there is no option --weight");
        assertWrong("dequeueMany 1 --wait", "Missing required parameter for option '--wait' (TIME)");
        assertWrong("dequeueMany 1 --wait soon",
                "Invalid value for option '--wait': \"soon\" is not a time; write one such as 250ms, 10s or 2min");
        assertWrong("dequeueMany 4294967297",
                "Invalid value for positional parameter at index 0 (MAX): '4294967297' is not an int");
    }

    private void assertWrong(String line, String message) {
        assertThatThrownBy(() -> shell.run(line)).isInstanceOf(UsageException.class).hasMessage(message + USAGE);
        assertThat(broker.received()).isEmpty();
    }

    private List<String> sent(int index) {
        return ((Request.SendMessages) broker.received().get(index)).messages().stream()
                .map(message -> new String(message.content())).toList();
    }
}
