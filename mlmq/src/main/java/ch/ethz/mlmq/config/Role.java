package ch.ethz.mlmq.config;

/** The role of a JVM in a run. */
public enum Role {
    BROKER, CLIENT;

    /** @return the word for files and folders: {@code broker} or {@code client} */
    public String word() {
        return this == BROKER ? "broker" : "client";
    }
}
