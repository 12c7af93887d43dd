package ch.ethz.mlmq.log_analyzer.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The writer of a log.
 *
 * @param machine  the machine's name in the run, {@code -} if the path does not tell
 * @param role     {@code broker} or {@code client}, {@code -} if unknown
 * @param position counted from 0 over all JVMs of that role
 */
public record Place(String machine, String role, int position) {
    public static final String UNKNOWN = "-";
    private static final Pattern JVM_FOLDER = Pattern.compile("(?:(?:^|/)([^/]+)/)?(broker|client)_(\\d{1,9})/");
    private static final Pattern FILE_NAME = Pattern.compile("_([A-Za-z]+)_(\\d{1,9})\\.");
    private static final Pattern HEADER = Pattern.compile("Role\\[([^\\]]+)\\].*Position\\[(\\d{1,9})\\]");

    /** @param name path of a file in the machine's own folder, e.g. {@code logs/m1/machine.csv} */
    public static Place ofMachine(String name) {
        String[] parts = name.split("/");
        return new Place(parts.length > 1 ? parts[parts.length - 2] : UNKNOWN, UNKNOWN, 0);
    }

    /** @return the name of the JVM in the run, e.g. {@code client_3} */
    public String jvm() {
        return role + "_" + position;
    }

    /**
     * @param name   path of the log, e.g. {@code logs/m1/client_0/logs/performance_client_0.log}
     * @param header its first line, which may tell more than the path
     */
    public static Place of(String name, String header) {
        Matcher folder = JVM_FOLDER.matcher(name);
        String machine = folder.find() && folder.group(1) != null ? folder.group(1) : UNKNOWN;
        Matcher file = FILE_NAME.matcher(name.substring(name.lastIndexOf('/') + 1));
        if (file.find()) {
            return new Place(machine, file.group(1), Integer.parseInt(file.group(2)));
        }
        Matcher told = HEADER.matcher(header);
        if (told.find()) {
            return new Place(machine, told.group(1), Integer.parseInt(told.group(2)));
        }
        folder.reset();
        return folder.find() ? new Place(machine, folder.group(2), Integer.parseInt(folder.group(3)))
                : new Place(machine, UNKNOWN, 0);
    }
}
