package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.shell.Script;
import ch.ethz.mlmq.client.shell.Shell;
import ch.ethz.mlmq.config.StorageKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the commands that people use first. */
class ProgramsTest {
    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldRunAScriptOfTheShell(StorageKind storage) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String alice = BROKERS.name("alice");
        String jobs = BROKERS.name("jobs");
        String script = String.join("\n", "register " + alice, "createQueue " + jobs, "send " + jobs + " hello",
                "sendMany " + jobs + " a b c --priority 1", "pending", "peek " + jobs, "dequeue " + jobs,
                "dequeueMany 2 " + jobs, "receive " + jobs + " --lease 1min", "deleteQueue " + jobs, "echo bye",
                "status",
                "lookupQueue " + jobs);

        int exitCode = Script.run(new Shell(BROKERS.client(storage)), new BufferedReader(new StringReader(script)),
                new PrintWriter(out, true), new PrintWriter(err, true));

        assertThat(exitCode).isEqualTo(Script.FAILED);
        assertThat(err.toString()).startsWith("line 13: ").contains(jobs);
        String[] lines = out.toString().split("\n");
        assertThat(lines).hasSize(13);
        assertThat(lines[2]).isEqualTo("sent");
        assertThat(lines[3]).isEqualTo("3 sent");
        assertThat(lines[5]).endsWith(": hello");
        assertThat(lines[6]).endsWith(": hello");
        assertThat(lines[7]).endsWith(": a");
        assertThat(lines[8]).endsWith(": b");
        assertThat(lines[9]).contains("delivery 1 token").endsWith(": c");
        assertThat(lines[11]).isEqualTo("bye");
        assertThat(lines[12]).startsWith("{\"state\":\"ready\"");
    }
}
