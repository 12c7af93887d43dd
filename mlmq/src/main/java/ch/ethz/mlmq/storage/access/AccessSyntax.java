package ch.ethz.mlmq.storage.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.limit.QueueStatement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads statements about users. */
final class AccessSyntax {
    private static final String USAGE = "write create user NAME [password 'VERIFIER'], create role NAME, "
            + "alter user NAME password 'VERIFIER', drop user NAME, drop role NAME, grant ROLE to NAME, "
            + "revoke ROLE from NAME, grant RIGHTS on OBJECT to NAME, revoke RIGHTS on OBJECT from NAME, "
            + "reserve client NAME for NAME, list users, whoami, or one about limits: " + QueueStatement.USAGE;
    private static final Pattern CREATE = of("create\\s+(?<kind>user|role)\\s+(?<name>" + AccessStatement.NAME
            + ")(?:\\s+password\\s+'(?<verifier>[^']*)')?");
    private static final Pattern ALTER = of("alter\\s+user\\s+(?<name>" + AccessStatement.NAME
            + ")\\s+password\\s+'(?<verifier>[^']*)'");
    private static final Pattern DROP = of("drop\\s+(?<kind>user|role)\\s+(?<name>" + AccessStatement.NAME + ")");
    private static final Pattern MEMBERSHIP = of("(?<verb>grant|revoke)\\s+(?<role>" + AccessStatement.NAME
            + ")\\s+(?<way>to|from)\\s+(?<user>" + AccessStatement.NAME + ")");
    private static final Pattern RIGHTS = of("(?:grant|revoke)\\b");
    private static final Pattern RESERVE = of("reserve\\s+client\\s+(?<quote>'?)(?<client>" + AccessStatement.NAME
            + ")\\k<quote>\\s+for\\s+(?<user>" + AccessStatement.NAME + ")");

    private AccessSyntax() {
    }

    static AccessStatement parse(String words) {
        Matcher parts = CREATE.matcher(words);
        if (parts.matches()) {
            return create(parts);
        }
        parts = ALTER.matcher(words);
        if (parts.matches()) {
            return new AccessStatement.Password(parts.group("name"), verifier(parts.group("verifier")));
        }
        parts = DROP.matcher(words);
        if (parts.matches()) {
            return new AccessStatement.Drop(parts.group("name"), parts.group("kind").equalsIgnoreCase("role"));
        }
        parts = MEMBERSHIP.matcher(words);
        if (parts.matches()) {
            return new AccessStatement.Membership(Grant.isGiven(parts), parts.group("role"), parts.group("user"));
        }
        if (RIGHTS.matcher(words).lookingAt()) {
            return Grant.parse(words);
        }
        parts = RESERVE.matcher(words);
        if (parts.matches()) {
            return new AccessStatement.Reserve(parts.group("client"), parts.group("user"));
        }
        return other(words);
    }

    private static AccessStatement create(Matcher parts) {
        String name = parts.group("name");
        boolean isRole = parts.group("kind").equalsIgnoreCase("role");
        if (name.equalsIgnoreCase(Grant.EVERYBODY)) {
            throw new IllegalArgumentException("everybody is the name of all users in grants");
        }
        if (isRole && parts.group("verifier") != null) {
            throw new IllegalArgumentException("a role has no password, as nobody signs in as one");
        }
        return isRole ? new AccessStatement.CreateRole(name)
                : new AccessStatement.CreateUser(name, verifier(parts.group("verifier")));
    }

    private static AccessStatement other(String words) {
        if (words.equalsIgnoreCase("whoami")) {
            return new AccessStatement.WhoAmI();
        }
        if (words.matches("(?i)list\\s+users")) {
            return new AccessStatement.Show();
        }
        throw new IllegalArgumentException(USAGE);
    }

    private static ScramVerifier verifier(String text) {
        try {
            return text == null ? null : ScramVerifier.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a password is sent as its verifier: " + e.getMessage(), e);
        }
    }

    private static Pattern of(String words) {
        return Pattern.compile("(?i)" + words);
    }
}
