package ch.ethz.mlmq.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority of a test, and certificates that it signs, made by the program openssl in a folder. */
final class TestCertificates {
    private static final List<String> EC = List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path folder;

    TestCertificates(Path folder) {
        this.folder = folder;
        List<String> options = new ArrayList<>(EC);
        options.addAll(List.of("-addext", "basicConstraints=critical,CA:TRUE",
                "-addext", "keyUsage=critical,keyCertSign"));
        make("ca", options);
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
        sign(name, hosts, EC);
    }

    /** @param algorithm of the key, as openssl's options name it */
    void sign(String name, String hosts, List<String> algorithm) {
        List<String> more = new ArrayList<>(algorithm);
        more.addAll(List.of("-CA", authority().toString(), "-CAkey", key("ca").toString(),
                "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=" + hosts));
        make(name, more);
    }

    /** Makes a certificate of an hour that is over then. */
    void signUntil(String name, Instant end) throws IOException {
        Path settings = Files.writeString(folder.resolve("ca.cnf"), String.join("\n", "[ca]", "default_ca=own", "[own]",
                "new_certs_dir=" + folder, "database=" + Files.writeString(folder.resolve("index"), ""),
                "serial=" + Files.writeString(folder.resolve("serial"), "01\n"), "default_md=sha256", "policy=names",
                "[names]", "commonName=supplied", ""));
        String request = folder.resolve(name + ".csr").toString();
        List<String> command = new ArrayList<>(List.of("openssl", "req", "-new", "-nodes", "-subj", "/CN=" + name,
                "-keyout", key(name).toString(), "-out", request));
        command.addAll(EC);
        run(command);
        run(List.of("openssl", "ca", "-batch", "-notext", "-config", settings.toString(), "-cert",
                authority().toString(), "-keyfile", key("ca").toString(), "-in", request, "-out",
                certificate(name).toString(), "-startdate", TIME.format(end.minus(Duration.ofHours(1))), "-enddate",
                TIME.format(end)));
    }

    private void make(String name, List<String> more) {
        List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-days", "2", "-subj",
                "/CN=" + name, "-keyout", key(name).toString(), "-out", certificate(name).toString()));
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
