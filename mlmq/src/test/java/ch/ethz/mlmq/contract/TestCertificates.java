package ch.ethz.mlmq.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority of a test, and certificates that it signs, made by the program openssl in a folder. */
final class TestCertificates {
    private final Path folder;

    TestCertificates(Path folder) {
        this.folder = folder;
        make("ca", List.of("-addext", "basicConstraints=critical,CA:TRUE"));
    }

    Path authority() {
        return certificate("ca");
    }

    Path certificate(String name) {
        return folder.resolve(name + ".pem");
    }

    Path key(String name) {
        return folder.resolve(name + ".key");
    }

    /** Makes a certificate with its key, or replaces them. @param hosts such as {@code IP:127.0.0.1,DNS:localhost} */
    void sign(String name, String hosts) {
        make(name, List.of("-CA", authority().toString(), "-CAkey", key("ca").toString(),
                "-addext", "subjectAltName=" + hosts));
    }

    private void make(String name, List<String> more) {
        List<String> command = new ArrayList<>(Arrays.asList("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=" + name,
                "-keyout", key(name).toString(), "-out", certificate(name).toString()));
        command.addAll(more);
        run(command);
    }

    private static void run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectInput(new File("/dev/null")).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + output);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
