package ch.ethz.mlmq.log_analyzer;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** The result of a command line. */
public record Invocation(int exitCode, String out, String err) {

    public static Invocation of(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
        CommandLine commandLine = Main.commandLine(words);
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err, true));
        int exitCode = commandLine.execute(words);
        return new Invocation(exitCode, out.toString(), err.toString());
    }

    public List<String> lines() {
        return out.lines().toList();
    }
}
