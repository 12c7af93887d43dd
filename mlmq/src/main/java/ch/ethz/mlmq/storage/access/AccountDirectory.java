package ch.ethz.mlmq.storage.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The users of a database at one moment. Immutable. */
public final class AccountDirectory {
    private final byte[] secret;
    private final Map<String, Account> accounts;
    private final Map<String, List<String>> roles;
    private final List<Grant> grants;
    private final Map<String, Rights> rights;

    /**
     * @param secret   of all brokers of the database
     * @param accounts of users, by name
     * @param roles    names of the roles of each user that has any
     * @param grants   to users and roles
     */
    public AccountDirectory(byte[] secret, Map<String, Account> accounts, Map<String, List<String>> roles,
            List<Grant> grants) {
        this.roles = Map.copyOf(roles);
        this.grants = List.copyOf(grants);
        this.secret = secret.clone();
        this.accounts = Map.copyOf(accounts);
        Map<String, List<Grant>> to = grants.stream().collect(Collectors.groupingBy(Grant::account));
        List<Grant> everybody = to.getOrDefault(Grant.EVERYBODY, List.of());
        this.rights = accounts.keySet().stream().collect(Collectors.toUnmodifiableMap(name -> name,
                name -> new Rights(name, Stream.concat(Stream.of(name), roles(name).stream())
                        .flatMap(one -> to.getOrDefault(one, List.of()).stream()).toList(), everybody)));
    }

    /** @return the roles that the user is a member of */
    public List<String> roles(String name) {
        return roles.getOrDefault(name, List.of());
    }

    /** @return what the user may do; nothing if there is no such user */
    public Rights rights(String name) {
        return rights.getOrDefault(name, Rights.NONE);
    }

    /** @return a sentence for each user, membership and grant, without passwords */
    public Set<String> facts() {
        Set<String> facts = new LinkedHashSet<>();
        accounts.keySet().forEach(name -> facts.add("user " + name));
        roles.forEach((name, all) -> all.forEach(role -> facts.add("grant " + role + " to " + name)));
        grants.forEach(grant -> facts.add(grant.toString()));
        return facts;
    }

    /** @return the user of that name, or null */
    public Account account(String name) {
        return accounts.get(name);
    }

    /** @return what verifies the user's password; that of nobody if there is no such user, or it has no password */
    public ScramVerifier verifier(String name) {
        // It is made in both cases, so that they take the same time.
        ScramVerifier nobody = ScramVerifier.ofNobody(secret, name);
        Account account = accounts.get(name);
        return account == null || account.verifier() == null ? nobody : account.verifier();
    }
}
