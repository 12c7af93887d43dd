package ch.ethz.mlmq.protocol.wire;

/** Which software this is, for people at the other end. */
public final class Software {
    /** Such as {@code MLMQ 1.0}. */
    public static final String NAME = "MLMQ " + version();

    private Software() {
    }

    private static String version() {
        String version = Software.class.getModule().isNamed()
                ? Software.class.getModule().getDescriptor().rawVersion().orElse(null)
                : Software.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
