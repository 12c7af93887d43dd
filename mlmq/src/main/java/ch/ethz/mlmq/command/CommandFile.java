package ch.ethz.mlmq.command;

import ch.ethz.mlmq.agent.Agent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Watches the command file: one command written to it is executed once, the file removed, and the outcome appended to
 * the {@code .result} file beside it as {@code utc-ms;command;OK|REFUSED|FAILED;text}.
 */
public final class CommandFile implements Agent {
    private static final Logger LOG = Logger.getLogger(CommandFile.class.getName());

    private final Path file;
    private final Path taken;
    private final Path result;
    private final Commands commands;

    /** @param file written by others in one go: a temporary file that is renamed */
    public CommandFile(Path file, Commands commands) {
        this.file = file.toAbsolutePath();
        this.taken = this.file.resolveSibling(file.getFileName() + ".taken");
        this.result = this.file.resolveSibling(file.getFileName() + ".result");
        this.commands = commands;
    }

    @Override
    public String roleName() {
        return "command-file";
    }

    /** What a JVM before this one had taken and not executed is not for this one. */
    @Override
    public void onStart() throws IOException {
        Files.createDirectories(file.getParent());
        Files.deleteIfExists(taken);
    }

    @Override
    public int doWork() throws IOException {
        try {
            // An empty file is one that somebody is about to write, as "echo shutdown > command.txt" does.
            if (Files.size(file) == 0) {
                return 0;
            }
            Files.move(file, taken, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return 0;
        }
        String text = new String(Files.readAllBytes(taken), StandardCharsets.UTF_8);
        Files.delete(taken);
        for (String line : text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList()) {
            execute(line);
        }
        return 1;
    }

    private void execute(String line) throws IOException {
        LOG.info(() -> "command " + line);
        String outcome;
        try {
            outcome = "OK;" + commands.execute(line);
        } catch (CommandRefusedException e) {
            outcome = "REFUSED;" + e.getMessage();
        } catch (Exception e) {
            LOG.log(Level.WARNING, e, () -> "command " + line + " failed");
            outcome = "FAILED;" + e;
        }
        String entry = System.currentTimeMillis() + ";" + line.replace(';', ',') + ";"
                + outcome.replaceAll("\\R", " ") + "\n";
        Files.writeString(result, entry, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
