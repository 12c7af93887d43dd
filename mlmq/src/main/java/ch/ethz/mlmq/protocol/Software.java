package ch.ethz.mlmq.protocol;

/** Which software this is, for people at the other end. */
public final class Software {
    /** Such as {@code MLMQ 1.0}. */
    public static final String NAME = "MLMQ " + version();

    private Software() {
    }

    private static String version() {
        String version = Software.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
