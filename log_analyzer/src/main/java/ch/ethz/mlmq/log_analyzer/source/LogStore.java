package ch.ethz.mlmq.log_analyzer.source;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The files of a run in a folder, a zip or alone; nothing is unpacked to disk here. */
public sealed interface LogStore extends Closeable permits FolderStore, ZipStore {

    /** Limit of files; a larger number is not a run. */
    int MOST_FILES = 100_000;

    /** @return all files, sorted by name */
    List<StoredFile> files();

    /** @return a name for titles */
    String name();

    /**
     * @return the one file with this name, e.g. {@code environment.json}, at the top or in the one folder at the top
     */
    default Optional<StoredFile> find(String fileName) {
        return files().stream().filter(file -> file.name().equals(fileName) || file.name().endsWith("/" + fileName))
                .findFirst();
    }

    /** @param path a folder, a zip, or one log, plain or gzipped */
    static LogStore open(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new DataException("There is no folder or file " + path + ".");
        }
        if (path.toString().endsWith(".zip")) {
            return ZipStore.open(path);
        }
        return FolderStore.open(path);
    }

    static void checkNumber(int files, Path path) {
        if (files > MOST_FILES) {
            throw new DataException(path + " holds more than " + MOST_FILES + " files, so it is not a run.");
        }
    }

    /** @return the last part of the path without {@code .zip} */
    static String nameOf(Path path) {
        Path last = path.toAbsolutePath().normalize().getFileName();
        String name = last == null ? path.toString() : last.toString();
        return name.endsWith(".zip") ? name.substring(0, name.length() - ".zip".length()) : name;
    }
}
