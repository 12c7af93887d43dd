package ch.ethz.mlmq.driver.amqp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key with a certificate that nobody but itself has signed. */
final class TlsIdentity {
    private static final String ALIAS = "server";
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final byte[] key;
    private final Certificate certificate;

    private TlsIdentity(byte[] key, Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    /** @param address the only one that it is for */
    static TlsIdentity of(Path folder, String address) throws IOException, InterruptedException,
            GeneralSecurityException {
        Path file = folder.resolve(address + ".p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", ALIAS, "-keyalg", "RSA", "-dname", "CN=a test's server", "-ext",
                "san=ip:" + address, "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass",
                new String(PASSWORD)).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + output);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new TlsIdentity(store.getKey(ALIAS, PASSWORD).getEncoded(), store.getCertificate(ALIAS));
    }

    /** Writes key.pem and certificate.pem. */
    void writeTo(Path folder) throws IOException {
        try {
            Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", key));
            Files.writeString(folder.resolve("certificate.pem"), pem("CERTIFICATE", certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** @return for clients that trust this certificate and no other */
    SSLContext trusting() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + kind + "-----\n";
    }
}
