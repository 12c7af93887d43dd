package ch.ethz.mlmq.log_analyzer.source;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A zip, such as a run's; its entries are read in place. */
final class ZipStore implements LogStore {
    private final String name;
    private final ZipFile zip;
    private final List<StoredFile> files;

    private ZipStore(String name, ZipFile zip) {
        this.name = name;
        this.zip = zip;
        this.files = zip.stream()
                .filter(entry -> !entry.isDirectory())
                .map(entry -> new StoredFile(entry.getName(), Math.max(0, entry.getSize()), Optional.empty(),
                        () -> zip.getInputStream(entry)))
                .sorted(Comparator.comparing(StoredFile::name))
                .toList();
    }

    static ZipStore open(Path path) throws IOException {
        try {
            ZipFile zip = new ZipFile(path.toFile());
            try {
                LogStore.checkNumber(zip.size(), path);
                return new ZipStore(LogStore.nameOf(path), zip);
            } catch (RuntimeException e) {
                zip.close();
                throw e;
            }
        } catch (ZipException e) {
            throw new DataException(path + " is not a complete zip (" + e.getMessage() + ").");
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
    public void close() throws IOException {
        zip.close();
    }
}
