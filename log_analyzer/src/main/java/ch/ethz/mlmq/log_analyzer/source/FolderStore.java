package ch.ethz.mlmq.log_analyzer.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A folder with all its sub-folders, or one file. */
final class FolderStore implements LogStore {
    private final String name;
    private final List<StoredFile> files;

    private FolderStore(String name, List<StoredFile> files) {
        this.name = name;
        this.files = files;
    }

    static FolderStore open(Path path) throws IOException {
        Path root = Files.isDirectory(path) ? path : path.toAbsolutePath().getParent();
        try (Stream<Path> found = Files.walk(path)) {
            List<Path> paths = found.filter(Files::isRegularFile).sorted().toList();
            List<StoredFile> files = new ArrayList<>();
            for (Path file : paths) {
                files.add(stored(root, file));
            }
            return new FolderStore(LogStore.nameOf(path), List.copyOf(files));
        }
    }

    @Override
    public List<StoredFile> files() {
        return files;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void close() {
        // each stream is closed by who opened it
    }

    private static StoredFile stored(Path root, Path file) throws IOException {
        String relative = root.toAbsolutePath().relativize(file.toAbsolutePath()).toString().replace('\\', '/');
        Optional<Path> onDisk = relative.endsWith(".gz") ? Optional.empty() : Optional.of(file);
        return new StoredFile(relative, Files.size(file), onDisk, () -> Files.newInputStream(file));
    }
}
