package ch.ethz.mlmq.protocol.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files with certificates and keys between lines such as {@code -----BEGIN CERTIFICATE-----}. */
final class Pem {
    private static final long MOST_BYTES = 1 << 20;
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]++)-----([A-Za-z0-9+/=\\s]*+)-----END \\1-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    private Pem() {
    }

    /** @return the certificates of a file, in order, at least one */
    static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = BLOCK.matcher(text(file));
        while (block.find()) {
            if (block.group(1).equals("CERTIFICATE")) {
                certificates.add(certificate(file, factory, bytes(file, block)));
            }
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException(file + " has no line -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    private static X509Certificate certificate(Path file, CertificateFactory factory, byte[] encoded)
            throws GeneralSecurityException {
        try {
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded));
        } catch (CertificateException e) {
            throw new GeneralSecurityException(file + " has a damaged certificate: " + e.getMessage(), e);
        }
    }

    /** @return the unencrypted private key of a file, in PKCS #8 */
    static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        Matcher block = BLOCK.matcher(text(file));
        while (block.find()) {
            if (block.group(1).equals("PRIVATE KEY")) {
                return key(file, new PKCS8EncodedKeySpec(bytes(file, block)));
            }
            if (block.group(1).endsWith("PRIVATE KEY")) {
                throw new GeneralSecurityException(file + " has a key in another form. Convert it: "
                        + "openssl pkcs8 -topk8 -nocrypt -in " + file + " -out key.pem");
            }
        }
        throw new GeneralSecurityException(file + " has no line -----BEGIN PRIVATE KEY-----");
    }

    private static PrivateKey key(Path file, PKCS8EncodedKeySpec encoded) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (GeneralSecurityException e) {
                // It is a key of another algorithm.
            }
        }
        throw new GeneralSecurityException(file + " has no key of RSA, EC or Ed25519");
    }

    private static byte[] bytes(Path file, Matcher block) throws GeneralSecurityException {
        try {
            return Base64.getMimeDecoder().decode(block.group(2));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException(file + " is damaged: " + e.getMessage(), e);
        }
    }

    private static String text(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.isOther()) {
            throw new IOException(file + " is no file but a pipe or a device, which nobody could read again");
        }
        if (attributes.size() > MOST_BYTES) {
            throw new IOException(file + " has more than " + MOST_BYTES + " bytes");
        }
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
