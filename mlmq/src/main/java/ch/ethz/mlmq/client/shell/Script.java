package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.client.MlmqException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** Runs the commands of a script up to the first that fails. */
public final class Script {
    /** Every command succeeded. */
    public static final int DONE = 0;
    /** The broker refused a command, or could not be reached. */
    public static final int FAILED = 1;
    /** A line is not a command. */
    public static final int WRONG = 2;

    private Script() {
    }

    /** @return the exit code: {@link #DONE}, {@link #FAILED} or {@link #WRONG} */
    public static int run(Shell shell, BufferedReader lines, PrintWriter out, PrintWriter err) throws IOException {
        int number = 0;
        for (String line = lines.readLine(); line != null && !shell.hasLeft(); line = lines.readLine()) {
            number++;
            try {
                String shown = shell.run(line, () -> next(lines));
                if (!shown.isEmpty()) {
                    out.println(shown);
                    out.flush();
                }
            } catch (UsageException e) {
                err.println("line " + number + ": " + e.getMessage());
                return WRONG;
            } catch (MlmqException e) {
                err.println("line " + number + ": " + e.getMessage());
                return FAILED;
            }
        }
        return DONE;
    }

    private static String next(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
