package ch.ethz.mlmq.protocol.tls;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * PEM files of one side of TLS.
 *
 * @param certificate the own certificate, followed by those that lead to its authority; null for none
 * @param key         its private key in PKCS #8; null for none
 * @param authorities certificates that the peer's one must lead to; null for those that the JVM trusts
 */
public record TlsFiles(Path certificate, Path key, Path authorities) {
    private static final char[] NO_PASSWORD = {};

    public TlsFiles {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("a certificate needs its key, and a key its certificate");
        }
    }

    /** @return those that are named */
    public Set<Path> all() {
        return Stream.of(certificate, key, authorities).filter(Objects::nonNull).collect(Collectors.toSet());
    }

    /** @throws IOException if a file cannot be read or used; the message names it */
    public SSLContext read() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(identity(), trust(), null);
            return context;
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + e.getFile(), e);
        } catch (GeneralSecurityException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private KeyManager[] identity() throws IOException, GeneralSecurityException {
        if (certificate == null) {
            return null;
        }
        List<X509Certificate> chain = Pem.certificates(certificate);
        PrivateKey secret = Pem.key(key);
        if (!isPair(secret, chain.get(0).getPublicKey())) {
            throw new GeneralSecurityException(key + " is not the key of the first certificate in " + certificate);
        }
        KeyStore store = empty();
        store.setKeyEntry("own", secret, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static boolean isPair(PrivateKey secret, PublicKey open) throws GeneralSecurityException {
        if (!secret.getAlgorithm().equals(open.getAlgorithm())) {
            return false;
        }
        Signature signature = Signature.getInstance(switch (secret.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> secret.getAlgorithm();
        });
        byte[] something = {1};
        signature.initSign(secret);
        signature.update(something);
        byte[] signed = signature.sign();
        signature.initVerify(open);
        signature.update(something);
        return signature.verify(signed);
    }

    private TrustManager[] trust() throws IOException, GeneralSecurityException {
        if (authorities == null) {
            return null;
        }
        KeyStore store = empty();
        int number = 0;
        for (X509Certificate authority : Pem.certificates(authorities)) {
            store.setCertificateEntry("authority " + number++, authority);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
