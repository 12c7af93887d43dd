package ch.ethz.mlmq.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A host of a test's own: a network namespace that one link joins to this host. The link can be cut so that each side
 * goes on sending and nothing arrives, which no side is told. Needs root and {@code ip}.
 */
final class NetworkNamespace implements AutoCloseable {
    /** This host's address on the link. */
    static final String HERE = "10.231.0.1";
    /** The namespace's address on the link. */
    static final String THERE = "10.231.0.2";
    private static final String NOWHERE = "02:00:00:00:00:99";

    private final String name = "mlmq-" + ProcessHandle.current().pid();
    private final String near = "mq" + ProcessHandle.current().pid() % 1_000_000 + "a";
    private final String far = "mq" + ProcessHandle.current().pid() % 1_000_000 + "b";

    NetworkNamespace() throws IOException, InterruptedException {
        ip("netns", "add", name);
        ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name);
        ip("addr", "add", HERE + "/30", "dev", near);
        ip("link", "set", near, "up");
        inside("addr", "add", THERE + "/30", "dev", far);
        inside("link", "set", far, "up");
        inside("link", "set", "lo", "up");
    }

    /** @return whether this user may make one here */
    static boolean isPossible() {
        return "root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/sbin/ip"));
    }

    /** @return what a command begins with that runs inside */
    List<String> prefix() {
        return List.of("ip", "netns", "exec", name);
    }

    /** Cuts the link: frames of both sides go to a card that does not exist. */
    void cut() throws IOException, InterruptedException {
        ip("neigh", "replace", THERE, "lladdr", NOWHERE, "dev", near, "nud", "permanent");
        inside("neigh", "replace", HERE, "lladdr", NOWHERE, "dev", far, "nud", "permanent");
    }

    void mend() throws IOException, InterruptedException {
        ip("neigh", "del", THERE, "dev", near);
        inside("neigh", "del", HERE, "dev", far);
    }

    @Override
    public void close() {
        try {
            ip("netns", "del", name);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void inside(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("-n", name));
        all.addAll(List.of(arguments));
        ip(all.toArray(new String[0]));
    }

    private static void ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }
}
