package ch.ethz.mlmq.config;

import java.io.IOException;

/** Says in one line what is wrong with a configuration, and what to do about it. */
public final class ConfigurationException extends RuntimeException {
    public ConfigurationException(String message) {
        super(message);
    }

    public ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }

    /** @param file as people know it */
    public static ConfigurationException unreadable(String file, IOException e) {
        return new ConfigurationException(file + ": " + FileTrouble.reason(e), e);
    }
}
