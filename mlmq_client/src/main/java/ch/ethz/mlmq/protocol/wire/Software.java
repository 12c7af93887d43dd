package ch.ethz.mlmq.protocol.wire;

/** Name and version of this software, for people at the other end. */
public final class Software {
    /** The name and version, such as {@code MLMQ 1.0}. */
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
