package ch.ethz.mlmq.log_analyzer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Builds the lines of a performance log. */
public final class LogLines {
    public static final long START = 1_383_684_920_000L;
    public static final String HEADER = "MLMQ performance log Scenario[OneWayClient] Role[client] Position[0] Unit[us]";

    private final List<String> lines = new ArrayList<>();

    /** @return with a header that says us */
    public static LogLines inMicroseconds() {
        return new LogLines().line(HEADER);
    }

    public LogLines line(String line) {
        lines.add(line);
        return this;
    }

    /** @param endMs since {@link #START} */
    public LogLines add(long duration, long endMs, String action) {
        return line(duration + ";" + (START + endMs) + ";" + action + ";C[10]");
    }

    public String text() {
        return String.join("\n", lines) + "\n";
    }

    public Path writeTo(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text());
    }

    public Path gzipTo(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text().getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    /** @param name of the entry */
    public Path zipTo(Path file, String name) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new ZipEntry(name));
            out.write(text().getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }
}
