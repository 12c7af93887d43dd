package ch.ethz.mlmq.protocol.tls;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The channel binding {@code tls-server-end-point} of RFC 5929. */
final class ChannelBinding {
    private static final Pattern SIGNED_BY = Pattern.compile("(MD5|SHA)-?(\\d*)WITH.*");

    private ChannelBinding() {
    }

    /** @return the hash of the server's certificate; null if its signature has no hash of its own, as Ed25519 */
    static byte[] of(X509Certificate server) {
        Matcher algorithm = SIGNED_BY.matcher(server.getSigAlgName().toUpperCase(Locale.ROOT));
        if (!algorithm.matches()) {
            return null;
        }
        String bits = algorithm.group(2);
        boolean weak = algorithm.group(1).equals("MD5") || bits.isEmpty() || bits.equals("1");
        try {
            return MessageDigest.getInstance(weak ? "SHA-256" : "SHA-" + bits).digest(server.getEncoded());
        } catch (GeneralSecurityException e) {
            return null;
        }
    }
}
