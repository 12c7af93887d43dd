package ch.ethz.mlmq.config;

/** What a JVM of a run is. */
public enum Role {
    BROKER, CLIENT;

    /** @return the word used in files and folders: {@code broker} or {@code client} */
    public String word() {
        return this == BROKER ? "broker" : "client";
    }
}
