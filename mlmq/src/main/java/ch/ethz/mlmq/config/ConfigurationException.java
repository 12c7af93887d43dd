package ch.ethz.mlmq.config;

/** Says in one line what is wrong with a configuration, and what to do about it. */
public final class ConfigurationException extends RuntimeException {
    public ConfigurationException(String message) {
        super(message);
    }

    public ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
