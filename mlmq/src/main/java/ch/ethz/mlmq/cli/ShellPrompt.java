package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.shell.Shell;
import ch.ethz.mlmq.client.shell.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** The shell at a terminal, with a prompt, a history (kept in {@code ~/.mlmq_history}) and completion by tab. */
final class ShellPrompt {
    private static final int COLUMNS = 80;
    private static final int ROWS = 24;

    private ShellPrompt() {
    }

    /** Reads and runs commands until {@code close} or Ctrl-D. */
    static void run(Shell shell, String broker) throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().name("mlmq").build()) {
            if (terminal.getWidth() == 0) {
                // Some terminals report no size, and without one the line editor cannot lay out a line.
                terminal.setSize(new Size(COLUMNS, ROWS));
            }
            LineReader reader = LineReaderBuilder.builder().terminal(terminal).completer(completer(shell))
                    .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), ".mlmq_history"))
                    .build();
            reader.setOpt(LineReader.Option.DISABLE_EVENT_EXPANSION);
            terminal.writer().println("Connected to " + broker + ". Type help to list the commands, or close to "
                    + "leave.");
            while (!shell.hasLeft() && step(shell, reader, broker + "> ")) {
                terminal.flush();
            }
        }
    }

    private static boolean step(Shell shell, LineReader reader, String prompt) {
        try {
            // A line that is typed behind a mask is not kept in the history.
            String shown = shell.run(reader.readLine(prompt), () -> reader.readLine("password: ", '*'));
            if (!shown.isEmpty()) {
                reader.getTerminal().writer().println(shown);
            }
        } catch (UsageException | MlmqException e) {
            reader.getTerminal().writer().println("error: " + e.getMessage());
        } catch (UserInterruptException e) {
            // Ctrl-C cancels the line only, not the shell.
        } catch (EndOfFileException e) {
            return false;
        }
        return true;
    }

    private static Completer completer(Shell shell) {
        return (reader, line, candidates) -> shell.completions(line.words().subList(0, line.wordIndex()))
                .forEach(word -> candidates.add(new Candidate(word)));
    }
}
