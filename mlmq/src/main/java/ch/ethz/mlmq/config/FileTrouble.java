package ch.ethz.mlmq.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Describes why a file cannot be used, as the JDK's message is often only the file's name. */
public final class FileTrouble {
    private FileTrouble() {
    }

    /** @return one line that completes "file: …" */
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
