package ch.ethz.mlmq.log_analyzer.command.options;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes results to a file or to standard output. */
public final class Output {
    private Output() {
    }

    /** @param file null for standard output; missing folders are created */
    public static void write(String text, Path file, PrintWriter standardOutput) throws IOException {
        if (file == null) {
            standardOutput.print(text);
            // A writer around System.out does not get that stream's errors.
            if (standardOutput.checkError() || System.out.checkError()) {
                throw new IOException("Standard output could not be written completely.");
            }
            return;
        }
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        Files.writeString(file, text);
    }
}
