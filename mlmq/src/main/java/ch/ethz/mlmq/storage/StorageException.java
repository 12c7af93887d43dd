package ch.ethz.mlmq.storage;

/** A storage cannot be used; the message is one line that says why and never shows a password. */
public final class StorageException extends Exception {
    public StorageException(String message) {
        super(message);
    }

    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
