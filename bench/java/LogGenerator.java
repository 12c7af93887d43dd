import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Writes performance logs of the shape of a real run: {@code java LogGenerator.java FOLDER LINES FILES SECONDS
 * JUMBLE_MS}.
 *
 * <p>Half of the files are clients', half brokers'. The same arguments give the same bytes. With a jumble, lines of a
 * file are out of order by up to so many ms, as when many JVMs write to one file.
 */
public final class LogGenerator {
    private static final long START_MS = 1_383_684_920_000L;
    private static final long SEED = 7;
    private static final String[] REQUESTS = {"SendMessage", "DequeueMessage", "PeekMessage", "SendMessageToClient"};
    private static final String[] BROKER_ACTIONS = {"BTotReqResp", "BRcvReq", "BQueue", "BProcReq#SendMessage:Ok",
            "BPool", "BDb#sendMessage", "BDb#dequeueMessage", "BRespQueue", "BSndResp"};

    private LogGenerator() {
    }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        long lines = Long.parseLong(args[1]);
        int files = Integer.parseInt(args[2]);
        long lengthMs = Long.parseLong(args[3]) * 1000;
        int jumbleMs = Integer.parseInt(args[4]);
        for (int i = 0; i < files; i++) {
            boolean client = i % 2 == 0;
            String jvm = (client ? "client_" : "broker_") + i / 2;
            Path log = folder.resolve("logs/m" + (client ? 1 : 2) + "/" + jvm + "/logs/performance_" + jvm + ".log");
            Files.createDirectories(log.getParent());
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(log), 1 << 20)) {
                write(out, new SplittableRandom(SEED + i), client, lines / files, lengthMs, jumbleMs);
            }
        }
    }

    private static void write(OutputStream out, SplittableRandom random, boolean client, long lines, long lengthMs,
            int jumbleMs) throws IOException {
        byte[] line = new byte[128];
        out.write(("MLMQ performance log Role[" + (client ? "client" : "broker") + "] Unit[us] Sample[1/1]\n")
                .getBytes(StandardCharsets.US_ASCII));
        for (long i = 0; i < lines; i++) {
            long ms = START_MS + i * lengthMs / lines;
            boolean first = i == 0;
            ms += jumbleMs == 0 || first ? 0 : random.nextInt(jumbleMs);
            String action = client ? clientAction(random) : BROKER_ACTIONS[random.nextInt(BROKER_ACTIONS.length)];
            double median = client ? 2_000 : 300;
            // the first begins and ends in the same millisecond, from which both sides count their windows
            int duration = first ? 500 : (int) (median * Math.exp(0.6 * gaussian(random)));
            int length = append(line, 0, Integer.toString(duration));
            line[length++] = ';';
            length = append(line, length, Long.toString(ms));
            line[length++] = ';';
            length = append(line, length, action);
            length = append(line, length, ";C[15]\n");
            out.write(line, 0, length);
        }
    }

    private static String clientAction(SplittableRandom random) {
        String status = random.nextInt(500) == 0 ? "TIMEOUT" : "OK";
        return "CSndReq#" + status + "#" + REQUESTS[random.nextInt(REQUESTS.length)];
    }

    /** About normal: the sum of twelve uniform numbers. */
    private static double gaussian(SplittableRandom random) {
        long bits = random.nextLong();
        double sum = -6;
        for (int i = 0; i < 8; i++) {
            sum += (bits >>> i * 8 & 0xff) / 256.0 * 1.5;
        }
        return sum;
    }

    private static int append(byte[] line, int at, String text) {
        for (int i = 0; i < text.length(); i++) {
            line[at + i] = (byte) text.charAt(i);
        }
        return at + text.length();
    }
}
