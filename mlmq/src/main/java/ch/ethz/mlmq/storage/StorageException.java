package ch.ethz.mlmq.storage;

/** Reports that a storage cannot be used. The message gives the reason in one line, and never shows a password. */
public final class StorageException extends Exception {
    public StorageException(String message) {
        super(message);
    }

    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
