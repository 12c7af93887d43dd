package ch.ethz.mlmq.log_analyzer.source;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A folder with all its sub-folders, or one file. */
final class FolderStore implements LogStore {
    private final String name;
    private final List<StoredFile> files;

    private FolderStore(String name, List<StoredFile> files) {
        this.name = name;
        this.files = files;
    }

    static FolderStore open(Path path) throws IOException {
        // A link to a folder is followed; a link to a log keeps its name, which tells the writer.
        Path start = Files.isDirectory(path) ? path.toRealPath() : path.toAbsolutePath();
        Path root = Files.isDirectory(path) ? start : start.getParent();
        Map<Path, Long> sizes = new TreeMap<>();
        Files.walkFileTree(start, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isSymbolicLink() ? Files.isRegularFile(file) : attributes.isRegularFile()) {
                    sizes.put(file, attributes.isSymbolicLink() ? Files.size(file) : attributes.size());
                }
                LogStore.checkNumber(sizes.size(), path);
                return FileVisitResult.CONTINUE;
            }
        });
        List<StoredFile> files = new ArrayList<>();
        sizes.forEach((file, size) -> files.add(stored(root, file, size)));
        return new FolderStore(LogStore.nameOf(path), List.copyOf(files));
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
        // The caller that opened a stream closes it.
    }

    private static StoredFile stored(Path root, Path file, long size) {
        String relative = root.relativize(file).toString().replace('\\', '/');
        Optional<Path> onDisk = relative.endsWith(".gz") ? Optional.empty() : Optional.of(file);
        return new StoredFile(relative, size, onDisk, () -> Files.newInputStream(file));
    }
}
