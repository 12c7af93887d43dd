package ch.ethz.mlmq.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** What is wrong with a file, in words: the JDK's message is often its name alone. */
public final class FileTrouble {
    private FileTrouble() {
    }

    /** @return one line, which completes "file: …" */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "access denied";
        }
        return e instanceof FileAlreadyExistsException ? "is no folder" : e.getMessage();
    }
}
