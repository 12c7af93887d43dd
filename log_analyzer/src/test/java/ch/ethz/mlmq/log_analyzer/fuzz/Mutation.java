package ch.ethz.mlmq.log_analyzer.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.zip.GZIPOutputStream;

/** Damages the files of a folder, as a killed machine or an attacker may. */
final class Mutation {
    private static final List<String> TOKENS = List.of("NaN", "-1", "1e308", "Infinity", "99999999999999999999", "\"",
            "\n", "\r", "\0", ";", ",", ";;;;", "S[", "S[48", "{", "[", "}", "null", "9223372036854775807",
            "2147483648", "0", "-0.5", "\u00e9", "\u0661", "Sample[1/0]", "Sample[1/4294967295]", "Unit[us]", "#",
            "Started[99999999999999999999]", "rate 99999/s to 1/s over 999999999999h to all: 1 of 1", "\\u00zz",
            "#[BaseTime: 1e300 (seconds since epoch)]\n", "Tag=x,0.0,1.0,1.0,AAAA\n", "CSndReq#OK#a#b#c");
    private static final List<String> NAMES = List.of("client_99999999999/performance_client_99999999999.log",
            "logs/client_0/performance_broker_0.log", "performance", "performance.gz", "a/b/c/machine.csv",
            "summary_client_99999999999.json", "x/gauges_broker_.csv", "stats_client_1.csv.gz",
            "client_1/client_1.hlog", "environment.json", "x/experiment.json", "events.csv", "queue_lengths.csv",
            "config.properties",
            "broker_0/logs/profile.jfr", "client_0/logs/profile_1.jfr", "performance_\u0661_1.log");
    private static final int BOMB_BYTES = 80 << 20;

    private final Random random;
    private final SortedMap<String, byte[]> files;

    Mutation(Random random, SortedMap<String, byte[]> files) {
        this.random = random;
        this.files = files;
    }

    /** @return what was done, in words */
    String damage() {
        List<String> done = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0 && !files.isEmpty(); i--) {
            String name = pick(new ArrayList<>(files.keySet()));
            done.add(damage(name) + " " + name);
        }
        return String.join(", ", done);
    }

    private String damage(String name) {
        byte[] content = files.get(name);
        switch (random.nextInt(14)) {
            case 0:
                files.remove(name);
                return "remove";
            case 1:
                files.put(name, Arrays.copyOf(content, random.nextInt(content.length + 1)));
                return "cut";
            case 2:
                files.put(name, files.get(pick(new ArrayList<>(files.keySet()))));
                return "replace by another";
            case 3:
                files.put(pick(NAMES), content);
                return "copy under another name";
            case 4:
                byte[] zipped = gzip(content, 0);
                files.put(name + ".gz", random.nextBoolean() ? zipped
                        : Arrays.copyOf(zipped, random.nextInt(zipped.length + 1)));
                files.remove(name);
                return "compress";
            case 5:
                files.put(name, random.nextInt(50) == 0 ? bomb(name, content) : content);
                return "inflate";
            case 6:
                files.put(name, repeated(content));
                return "repeat";
            case 7:
                byte[] noise = content.clone();
                for (int i = noise.length == 0 ? 0 : 1 + random.nextInt(20); i > 0; i--) {
                    noise[random.nextInt(noise.length)] = (byte) random.nextInt(256);
                }
                files.put(name, noise);
                return "flip";
            default:
                byte[] changed = content;
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    changed = random.nextBoolean() ? tokened(changed) : renumbered(changed);
                }
                files.put(name, changed);
                return "insert";
        }
    }

    /** Replaces some bytes by a hostile word. */
    private byte[] tokened(byte[] content) {
        int at = random.nextInt(content.length + 1);
        int to = Math.min(content.length, at + random.nextInt(12));
        String token = pick(TOKENS);
        String text = random.nextInt(30) == 0 ? token.repeat(100_000) : token;
        return joined(Arrays.copyOf(content, at), text.getBytes(StandardCharsets.UTF_8),
                Arrays.copyOfRange(content, to, content.length));
    }

    /** Replaces a number by another one. */
    private byte[] renumbered(byte[] content) {
        int from = content.length == 0 ? 0 : random.nextInt(content.length);
        while (from < content.length && !Character.isDigit(content[from])) {
            from++;
        }
        int to = from;
        while (to < content.length && Character.isDigit(content[to])) {
            to++;
        }
        String number = switch (random.nextInt(5)) {
            case 0 -> Long.toString(random.nextLong());
            case 1 -> Integer.toString(random.nextInt());
            case 2 -> Long.toString(1L << random.nextInt(63));
            case 3 -> "0";
            default -> new String(content, from, to - from, StandardCharsets.ISO_8859_1) + random.nextInt(10);
        };
        return joined(Arrays.copyOf(content, from), number.getBytes(StandardCharsets.US_ASCII),
                Arrays.copyOfRange(content, to, content.length));
    }

    /** Repeats a piece many times. */
    private byte[] repeated(byte[] content) {
        int from = random.nextInt(content.length + 1);
        byte[] piece = Arrays.copyOfRange(content, from, Math.min(content.length, from + 1 + random.nextInt(200)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Arrays.copyOf(content, from));
        for (int i = random.nextInt(1_000); i > 0; i--) {
            out.writeBytes(piece);
        }
        out.writeBytes(Arrays.copyOfRange(content, from, content.length));
        return out.toByteArray();
    }

    /** Makes a compressed file that is small on disk and large when it is read. */
    private byte[] bomb(String name, byte[] content) {
        files.remove(name);
        int from = random.nextInt(content.length + 1);
        byte[] piece = Arrays.copyOfRange(content, from, Math.min(content.length, from + 1 + random.nextInt(60)));
        byte[] chunk = piece.length == 0 ? new byte[1 << 16] : repeatedTo(piece, 1 << 16);
        files.put(name + ".gz", gzip(joined(content, new byte[0], chunk), BOMB_BYTES / chunk.length));
        return content;
    }

    private static byte[] repeatedTo(byte[] piece, int length) {
        byte[] chunk = new byte[length];
        for (int i = 0; i < length; i++) {
            chunk[i] = piece[i % piece.length];
        }
        return chunk;
    }

    /** @param times number of repetitions of the last 64 KB */
    private static byte[] gzip(byte[] content, int times) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
            for (int i = 0; i < times; i++) {
                out.write(content, Math.max(0, content.length - (1 << 16)), Math.min(content.length, 1 << 16));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
