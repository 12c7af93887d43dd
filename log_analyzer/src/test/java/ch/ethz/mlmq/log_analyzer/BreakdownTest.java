package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BreakdownTest {
    @TempDir
    private Path folder;

    @Test
    void shouldGiveTheStudysEstimateForSending() {
        assertThat(Invocation.of("breakdown", "-estimate", "6832,5467,5424", "-fmt", "csv").lines()).containsExactly(
                "of,stage,mean,share", "estimate,client,43,0.629", "estimate,middleware,43,0.629",
                "estimate,database,4016,58.782", "estimate,network,2644,38.7", "estimate,remainder,86,1.259",
                "estimate,total,6832,100");
    }

    @Test
    void shouldGiveTheStudysEstimateForReceiving() {
        assertThat(Invocation.of("breakdown", "-estimate", "8954,7617,7575", "-fmt", "csv").lines()).contains(
                "estimate,client,42,0.469", "estimate,database,6196,69.198", "estimate,network,2590,28.926");
    }

    @Test
    void shouldAddUpMeasuredStagesToTheClientsMean() throws Exception {
        Path run = new SampleRun(1).seconds(5).clients(3).writeTo(folder.resolve("run"));

        List<String[]> rows = Invocation.of("breakdown", "-d", run, "-fmt", "csv").lines().stream()
                .map(line -> line.split(",")).filter(cells -> cells[0].equals("all requests")).toList();

        assertThat(rows).extracting(cells -> cells[1]).containsExactly("network and client", "receiving",
                "request queue",
                "worker", "waiting for a connection", "database: dequeueMessage", "database: sendMessage",
                "response queue", "sending", "remainder", "total");
        double total = Double.parseDouble(rows.get(rows.size() - 1)[2]);
        double sum = rows.subList(0, rows.size() - 1).stream().mapToDouble(cells -> Double.parseDouble(cells[2])).sum();
        assertThat(sum).isCloseTo(total, within(0.01));
        assertThat(Math.abs(Double.parseDouble(rows.get(9)[2]))).as("remainder").isLessThan(0.02 * total);
    }

    @Test
    void shouldDrawAllStagesOfTheRequestedActions() throws Exception {
        Path zip = new SampleRun(1).seconds(5).clients(3).zipTo(folder.resolve("run.zip"));

        Invocation.of("-d", zip, "-fmt", "gnuplot", "-kind", "breakdown", "-type", "CSndReq#OK#send", "-out", folder);

        List<String> lines = Files.readAllLines(folder.resolve("breakdown.csv"));
        assertThat(lines.get(0)).isEqualTo("of,network and client,receiving,request queue,worker,"
                + "waiting for a connection,database,response queue,sending,remainder");
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).startsWith("all requests,");
        assertThat(lines.get(2)).startsWith("sendMessage,");
    }

    @Test
    void shouldTellWaitingInTheClientFromTheServiceTime() throws Exception {
        LogLines.inMicroseconds().line("900;" + LogLines.START + ";CSndReq#OK#send;C[10] S[300]")
                .writeTo(folder.resolve("client_0/performance_client_0.log"));
        LogLines.inMicroseconds().add(250, 0, "BTotReqResp")
                .writeTo(folder.resolve("broker_0/performance_broker_0.log"));

        assertThat(Invocation.of("breakdown", "-d", folder, "-fmt", "csv").lines()).contains(
                "all requests,waiting in the client,600,66.667", "all requests,network and client,50,5.556",
                "all requests,total,900,100");
    }

    @Test
    void shouldCountTakesThatFoundNoneToTheirOperation() throws Exception {
        LogLines.inMicroseconds().add(900, 0, "CSndReq#OK#dequeueMessage:empty")
                .add(700, 0, "CSndReq#OK#dequeueMessage:empty")
                .writeTo(folder.resolve("client_0/performance_client_0.log"));
        LogLines.inMicroseconds().add(250, 0, "BTotReqResp").add(200, 0, "BProcReq#dequeueMessage")
                .writeTo(folder.resolve("broker_0/performance_broker_0.log"));

        assertThat(Invocation.of("breakdown", "-d", folder, "-fmt", "csv").lines())
                .contains("dequeueMessage,worker,200,25", "dequeueMessage,total,800,100");
    }
}
