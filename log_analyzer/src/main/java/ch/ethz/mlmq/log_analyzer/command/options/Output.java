package ch.ethz.mlmq.log_analyzer.command.options;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where results go. */
public final class Output {
    private Output() {
    }

    /** @param file null for standard output; folders on the way are made */
    public static void write(String text, Path file, PrintWriter standardOutput) throws IOException {
        if (file == null) {
            standardOutput.print(text);
            // a writer around System.out does not hear of that stream's errors
            if (standardOutput.checkError() || System.out.checkError()) {
                throw new IOException("Standard output could not be written to its end.");
            }
            return;
        }
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        Files.writeString(file, text);
    }
}
