package ch.ethz.mlmq.config;

import java.io.IOException;

/** Reports an invalid configuration in one line, with what to do about it. */
public final class ConfigurationException extends RuntimeException {
    public ConfigurationException(String message) {
        super(message);
    }

    public ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }

    /** @param file the file's name as its users know it */
    public static ConfigurationException unreadable(String file, IOException e) {
        return new ConfigurationException(file + ": " + FileTrouble.reason(e), e);
    }
}
