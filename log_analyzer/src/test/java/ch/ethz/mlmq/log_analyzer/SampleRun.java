package ch.ethz.mlmq.log_analyzer;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A run as the Testmaster leaves it, with all its files, made up from a seed: clients in a closed loop with think time,
 * brokers whose stages add up. The same settings give the same bytes.
 */
public final class SampleRun {
    private static final long START = 1_700_000_000_000L;
    private static final String[] OPERATIONS = {"sendMessage", "dequeueMessage"};
    private static final int THINK_MS = 5;

    private final Random random;
    private double slowness = 1;
    private int seconds = 60;
    private int clients = 10;
    private int workers = 8;
    private double errors = 0.001;
    private double clientCpu = 0.4;
    private double brokerCpu = 0.8;
    private double[] fixedWork = {3_000, 3_000};
    private long pauses;
    private long late;
    private int sample = 1;
    private double growth;
    private double batchFixed;
    private double batchEach;
    private String events = "";
    private String brokerEnd = "";
    private long requests;

    public SampleRun(int seed) {
        random = new Random(seed);
    }

    /** @param factor by which the database is slower than usual */
    public SampleRun slower(double factor) {
        slowness = factor;
        return this;
    }

    /** @param length of the measuring phase [s]; 5 s of warm-up before and 2 s of cool-down after it */
    public SampleRun seconds(int length) {
        seconds = length;
        return this;
    }

    public SampleRun clients(int count) {
        clients = count;
        return this;
    }

    public SampleRun workers(int count) {
        workers = count;
        return this;
    }

    /** Workers take batches of up to 32 requests. @param fixed us of each batch @param each us of each request in it */
    public SampleRun batches(double fixed, double each) {
        batchFixed = fixed;
        batchEach = each;
        return this;
    }

    /** @param perSecond so many more requests wait in the broker each second */
    public SampleRun growing(double perSecond) {
        growth = perSecond;
        return this;
    }

    /** @param share of requests that time out, 0..1 */
    public SampleRun errors(double share) {
        errors = share;
        return this;
    }

    /** @param share of time in which the clients' machine is busy, 0..1 */
    public SampleRun clientCpu(double share) {
        clientCpu = share;
        return this;
    }

    /** @param share of time in which the brokers' machine is busy, 0..1, give or take a hundredth each second */
    public SampleRun brokerCpu(double share) {
        brokerCpu = share;
        return this;
    }

    /** Processor time of the same piece of work in both halves of the measured time [us]. */
    public SampleRun fixedWork(double first, double second) {
        fixedWork = new double[] {first, second};
        return this;
    }

    /** @param ms of each second in which the broker collects garbage */
    public SampleRun pauses(long ms) {
        pauses = ms;
        return this;
    }

    /** @param count of requests that each client JVM started late */
    public SampleRun late(long count) {
        late = count;
        return this;
    }

    /** @param n every n-th request is in the performance logs, and their headers say so */
    public SampleRun sample(int n) {
        sample = n;
        return this;
    }

    /** Adds an event. @param second after the start of the load */
    public SampleRun event(int second, String name, String jvm, String message) {
        events += "2023-11-14T22:13:20.000Z," + (START + second * 1_000L) + ",running," + name + ",," + jvm + ",\""
                + message
                + "\"\n";
        return this;
    }

    /** Sets the broker's exit code, which the Testmaster records. */
    public SampleRun brokerExitCode(int code) {
        brokerEnd = "\"exit_code\":" + code + ",";
        return this;
    }

    /** Writes the run as a folder. */
    public Path writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("environment.json"), environment(folder.getFileName().toString()));
        Files.writeString(folder.resolve("test_run.yml"), "name: " + folder.getFileName() + "\n");
        Files.writeString(folder.resolve("events.csv"), "time,ms,phase,name,machine,jvm,message\n"
                + "2023-11-14T22:13:20.000Z," + START + ",running,load_started,,,Load started\n" + events);
        writeMachine(folder.resolve("logs/m1/machine.csv"), clientCpu, 0);
        writeMachine(folder.resolve("logs/m2/machine.csv"), brokerCpu, 0.01);
        Path broker = Files.createDirectories(folder.resolve("logs/m2/broker_0"));
        try (PrintStream brokerLog = print(broker.resolve("performance_broker_0.log"))) {
            brokerLog.print(header("Broker", "broker", 0));
            for (int i = 0; i < 2; i++) {
                writeClient(Files.createDirectories(folder.resolve("logs/m1/client_" + i)), i, brokerLog);
            }
        }
        writeSamples(broker);
        writeQueueLengths(folder.resolve("queue_lengths.csv"));
        return folder;
    }

    /** Writes the run as the zip that the Testmaster hands out. */
    public Path zipTo(Path zip) throws IOException {
        String name = zip.getFileName().toString().replace(".zip", "");
        Path folder = writeTo(Files.createTempDirectory("sample-run").resolve(name));
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                ZipEntry entry = new ZipEntry(folder.relativize(file).toString());
                entry.setTime(START);
                out.putNextEntry(entry);
                Files.copy(file, out);
                Files.delete(file);
            }
        }
        return zip;
    }

    private void writeClient(Path folder, int position, PrintStream brokerLog) throws IOException {
        long ok = 0;
        long failed = 0;
        double sum = 0;
        long measureFrom = START + 5_000;
        long measureTo = measureFrom + seconds * 1_000L;
        Histogram interval = new Histogram(3);
        try (PrintStream log = print(folder.resolve("performance_client_" + position + ".log"));
                OutputStream hlog = Files.newOutputStream(folder.resolve("client_" + position + ".hlog"))) {
            HistogramLogWriter histograms = new HistogramLogWriter(hlog);
            histograms.outputLogFormatVersion();
            histograms.outputBaseTime(START);
            histograms.setBaseTime(START);
            histograms.outputLegend();
            log.print(header("OneWayClient", "client", position));
            double[] next = random.doubles(clients, 0, 10).toArray();
            for (long second = START; second < measureTo + 2_000; second += 1_000) {
                for (int client = 0; client < clients; client++) {
                    while (next[client] < second + 1_000 - START) {
                        double warm = 1 + 2 * Math.exp(-next[client] / 2_000);
                        String operation = OPERATIONS[random.nextInt(2)];
                        int micros = request(START + (long) next[client], operation, warm, log, brokerLog);
                        next[client] += Math.abs(micros) / 1000.0 + THINK_MS;
                        boolean measured = START + next[client] - THINK_MS >= measureFrom && START
                                + next[client] - THINK_MS < measureTo;
                        ok += micros > 0 && measured ? 1 : 0;
                        failed += micros < 0 && measured ? 1 : 0;
                        sum += micros > 0 && measured ? micros : 0;
                        interval.recordValue(Math.abs(micros));
                    }
                }
                interval.setTag("sendMessage");
                interval.setStartTimeStamp(second);
                interval.setEndTimeStamp(second + 1_000);
                histograms.outputIntervalHistogram(interval);
                interval.reset();
            }
            histograms.close();
        }
        Files.writeString(folder.resolve("summary_client_" + position + ".json"),
                ("{\"role\":\"client\",\"position\":%d,"
                + "\"scenario\":\"OneWayClient\",\"clients\":%d,\"started_ms\":%d,\"duration_s\":%d,"
                + "\"planned_rate\":null,\"rate\":%s,\"ok\":%d,\"errors\":{\"TIMEOUT\":%d},\"late\":%d,"
                + "\"started\":%d,\"response\":{\"mean\":%s},\"bottleneck\":null}").formatted(position, clients,
                measureFrom, seconds, (double) ok / seconds, ok, failed, late, ok + failed, sum / ok));
    }

    /** @return how long it took [us]; negative where it failed */
    private int request(long ms, String operation, double warm, PrintStream log, PrintStream brokerLog) {
        int database = lognormal(1_200 * slowness * warm);
        int[] stages = {lognormal(20), lognormal(150 * warm), lognormal(60), lognormal(40), lognormal(15),
                lognormal(25)};
        String size = "";
        if (batchFixed > 0) {
            // of requests, not of batches: one of n stands n times as often in a large batch
            int requests = (int) Math.ceil(32 * Math.sqrt(1 - random.nextDouble()));
            double batch = (batchFixed + batchEach * requests) * (1 + 0.1 * random.nextGaussian());
            database = (int) (0.8 * batch);
            stages[2] = (int) Math.round(batch) - database;
            stages[3] = 0;
            size = " N[" + requests + "]";
        }
        int process = stages[2] + stages[3] + database;
        int broker = stages[0] + stages[1] + process + stages[4] + stages[5];
        int client = broker + lognormal(180);
        boolean recorded = requests++ % sample == 0;
        if (random.nextDouble() < errors) {
            print(recorded, log, 1_000_000 + ";" + (ms + 1_000) + ";CSndReq#TIMEOUT#" + operation + ";C[" + clients
                    + "]\n");
            return -1_000_000;
        }
        long end = ms + client / 1_000;
        print(recorded, log, client + ";" + end + ";CSndReq#OK#" + operation + ";C[" + clients + "]\n");
        String context = ";C[" + 2 * clients + "]\n";
        print(recorded, brokerLog, stages[0] + ";" + end + ";BRcvReq" + context + stages[1] + ";" + end + ";BQueue"
                + context
                + stages[3] + ";" + end + ";BPool" + context + database + ";" + end + ";BDb#" + operation + context
                + process + ";" + end + ";BProcReq#" + operation + ":ok" + context.replace("\n", size + "\n")
                        + stages[4] + ";" + end + ";BRespQueue"
                + context + stages[5] + ";" + end + ";BSndResp" + context + broker + ";" + end + ";BTotReqResp"
                        + context);
        return client;
    }

    private static void print(boolean wanted, PrintStream log, String lines) {
        if (wanted) {
            log.print(lines);
        }
    }

    private void writeSamples(Path folder) throws IOException {
        try (PrintStream stats = print(folder.resolve("stats_broker_0.csv"));
                PrintStream gauges = print(folder.resolve("gauges_broker_0.csv"))) {
            gauges.print("ms,clients,queue,responses,shed,errors,heap,gc_ms\n");
            long requests = 0;
            for (int second = 0; second <= seconds + 7; second++) {
                stats.print("%d,%d,%d,%d,%d,%d,%d%n".formatted(second * 1_000, requests / 2, requests / 2, requests,
                        requests * 60_000, requests * 1_300_000, requests * 1_200_000).replace("\r", ""));
                gauges.print(second * 1_000 + "," + 2 * clients + "," + (random.nextInt(clients)
                        + Math.round(growth * second))
                        + "," + random.nextInt(3)
                        + ",0,0,120000000," + pauses * second + "\n");
                requests += 2L * clients * 150 + random.nextInt(100);
            }
        }
    }

    private void writeQueueLengths(Path file) throws IOException {
        try (PrintStream out = print(file)) {
            out.print("ms,queue,queue_of,messages\n");
            for (int second = 5; second <= seconds + 7; second += 10) {
                for (int queue = 0; queue < 8; queue++) {
                    out.printf("%d,queue%d,%s,%d\n", START + second * 1_000L, queue, queue == 0 ? "owner" : "",
                            queue * random.nextInt(100));
                }
            }
        }
    }

    private void writeMachine(Path file, double cpu, double noise) throws IOException {
        Files.createDirectories(file.getParent());
        try (PrintStream out = print(file)) {
            out.print("ms,cpu,steal,memory_used,memory_total,net_rx,net_tx,disk_read,disk_written,fixed_work\n");
            for (int second = 0; second <= seconds + 7; second++) {
                double busy = cpu + (second % 2 == 0 ? noise : -noise);
                out.print(START + second * 1_000L + "," + busy + ",0,1000000,4000000," + second + "," + second
                        + ",0,0," + (second < 5 + seconds / 2 ? fixedWork[0] : fixedWork[1]) + "\n");
            }
        }
    }

    private String environment(String name) {
        return """
                {"name":"%s","revision":"HEAD","load_starts_ms":%d,"versions":{"java":"17"},
                 "definition":{"name":"%1$s","duration":"%ds","warmup":"5s","cooldown":"2s",
                  "brokers":[{"scenario":"Broker","machines":1,"jvms":1,"settings":{"workers":%d}}],
                  "clients":[{"scenario":"OneWayClient","machines":1,"jvms":2,"clients":%d,
                    "settings":{"think.time":"%dms"}}]},
                 "machines":[
                  {"name":"m1","host":"127.0.0.1","cpus":2,"clock_offset_ms":0.2,"jvms":[
                   {"name":"client_0","settings":{"client.think.time":"%6$dms"}},
                   {"name":"client_1","settings":{"client.think.time":"%6$dms"}}]},
                  {"name":"m2","host":"127.0.0.1","cpus":2,"clock_offset_ms":-0.4,"jvms":[
                   {"name":"broker_0",%7$s"settings":{"broker.workers":"%4$d"}}]}]}
                """.formatted(name, START, seconds, workers, clients, THINK_MS, brokerEnd);
    }

    private String header(String scenario, String role, int position) {
        return "MLMQ performance log Scenario[%s] Role[%s] Position[%d] Clients[10] Unit[us] Sample[1/%d] Started[%d]\n"
                .formatted(scenario, role, position, sample, START);
    }

    private int lognormal(double median) {
        return (int) Math.max(1, median * Math.exp(0.5 * random.nextGaussian()));
    }

    private static PrintStream print(Path file) throws IOException {
        return new PrintStream(new java.io.BufferedOutputStream(Files.newOutputStream(file)), false,
                StandardCharsets.UTF_8);
    }

    /** Writes a run to look at: the path of a zip or folder, and a seed. */
    public static void main(String[] args) throws IOException {
        Path path = Path.of(args[0]);
        SampleRun run = new SampleRun(Integer.parseInt(args[1])).slower(args.length > 2 ? Double.parseDouble(args[2])
                : 1)
                .workers(args.length > 3 ? Integer.parseInt(args[3]) : 8);
        if (args[0].endsWith(".zip")) {
            run.zipTo(path);
        } else {
            run.writeTo(path);
        }
    }
}
