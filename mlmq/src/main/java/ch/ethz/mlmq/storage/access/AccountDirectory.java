package ch.ethz.mlmq.storage.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import java.util.LinkedHashMap;
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
    private final Set<String> roleNames;
    private final List<Grant> grants;
    private final Map<String, Rights> rights;
    private final Map<String, Long> reservations;

    /**
     * @param secret    of all brokers of the database
     * @param accounts  of users, by name
     * @param roles     names of the roles of each user that has any
     * @param roleNames of all roles
     * @param grants    to users and roles
     * @param reservations sentences of names that were reserved for a user, and since when
     */
    public AccountDirectory(byte[] secret, Map<String, Account> accounts, Map<String, List<String>> roles,
            Set<String> roleNames, List<Grant> grants, Map<String, Long> reservations) {
        this.reservations = Map.copyOf(reservations);
        this.roleNames = Set.copyOf(roleNames);
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

    /**
     * @return a sentence for each user, role, membership, grant and reserved name, without passwords, and since when a
     * user is one and a name is reserved
     */
    public Map<String, Long> facts() {
        Map<String, Long> facts = new LinkedHashMap<>();
        accounts.values().forEach(account -> facts.put("user " + account.name(), account.since()));
        roleNames.forEach(name -> facts.put("role " + name, 0L));
        roles.forEach((name, all) -> all.forEach(role -> facts.put("grant " + role + " to " + name, 0L)));
        grants.forEach(grant -> facts.put(grant.toString(), 0L));
        facts.putAll(reservations);
        return facts;
    }

    /** @return names of the users that were there before, with another password */
    public List<String> newPasswords(AccountDirectory before) {
        return accounts.values().stream().filter(now -> {
            Account then = before.accounts.get(now.name());
            return then != null && then.since() == now.since() && !then.password().equals(now.password());
        }).map(Account::name).toList();
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
