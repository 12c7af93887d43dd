package ch.ethz.mlmq.protocol.tls;

import java.security.cert.X509Certificate;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** The name in a certificate, {@code CN} of its subject. */
final class CommonName {
    private CommonName() {
    }

    /** @return null if there is none, or more than one */
    static String of(X509Certificate certificate) {
        try {
            List<Object> names = new LdapName(certificate.getSubjectX500Principal().getName()).getRdns().stream()
                    .filter(rdn -> rdn.size() == 1 && rdn.getType().equalsIgnoreCase("CN")).map(Rdn::getValue).toList();
            return names.size() == 1 && names.get(0) instanceof String name ? name : null;
        } catch (InvalidNameException e) {
            return null;
        }
    }
}
