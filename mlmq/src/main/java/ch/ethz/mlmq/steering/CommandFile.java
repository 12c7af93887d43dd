package ch.ethz.mlmq.steering;

import ch.ethz.mlmq.agent.Agent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    /** @param file the file; writers must create it in one step, by renaming a temporary file */
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

    /** Removes a command that an earlier JVM took and did not execute. */
    @Override
    public void onStart() throws IOException {
        Files.createDirectories(file.getParent());
        Files.deleteIfExists(taken);
    }

    @Override
    public int doWork() throws IOException {
        try {
            // Somebody is about to write an empty file, as "echo shutdown > command.txt" does.
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
        CompletableFuture<String> outcome;
        try {
            outcome = commands.execute(line);
        } catch (Exception e) {
            outcome = CompletableFuture.failedFuture(e);
        }
        if (outcome.isDone()) {
            answer(line, words(line, outcome));
        } else {
            outcome.whenComplete((text, failure) ->
                    answerLater(line, failure == null ? "OK;" + text : words(line, failure)));
        }
    }

    private static String words(String line, CompletableFuture<String> outcome) {
        try {
            return "OK;" + outcome.join();
        } catch (CompletionException e) {
            return words(line, e.getCause());
        }
    }

    private static String words(String line, Throwable failure) {
        if (failure instanceof CommandRefusedException) {
            return "REFUSED;" + failure.getMessage();
        }
        LOG.log(Level.WARNING, failure, () -> "command " + line + " failed");
        return "FAILED;" + failure;
    }

    private void answerLater(String line, String words) {
        try {
            answer(line, words);
        } catch (IOException e) {
            LOG.log(Level.SEVERE, e, () -> "the result of " + line + " could not be written");
        }
    }

    private synchronized void answer(String line, String words) throws IOException {
        String entry = System.currentTimeMillis() + ";" + line.replace(';', ',') + ";"
                + words.replaceAll("\\R", " ") + "\n";
        Files.writeString(result, entry, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
