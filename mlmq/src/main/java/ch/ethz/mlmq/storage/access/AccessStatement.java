package ch.ethz.mlmq.storage.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;

/** A statement about users, roles and their rights, with the words of PostgreSQL. */
public sealed interface AccessStatement permits AccessStatement.CreateUser, AccessStatement.CreateRole,
        AccessStatement.Password, AccessStatement.Drop, AccessStatement.Membership, AccessStatement.Change,
        AccessStatement.Reserve, AccessStatement.Show, AccessStatement.WhoAmI {
    /** Syntax of the names of users and roles. */
    String NAME = "[A-Za-z0-9._-]{1,50}";

    /** Adds a user. @param verifier of its password; null if it signs in by certificate */
    record CreateUser(String name, ScramVerifier verifier) implements AccessStatement {
    }

    /** Adds a role, of which users can be members. */
    record CreateRole(String name) implements AccessStatement {
    }

    /** Changes the password of a user. Its connections stay. */
    record Password(String name, ScramVerifier verifier) implements AccessStatement {
    }

    /** Removes a user or a role. A user's connections are closed; the names of its clients stay its own. */
    record Drop(String name, boolean isRole) implements AccessStatement {
    }

    /** Makes a user a member of a role, or no longer. */
    record Membership(boolean adds, String role, String member) implements AccessStatement {
    }

    /** Gives or takes rights. @param adds true if the rights are given */
    record Change(boolean adds, Grant grant) implements AccessStatement {
    }

    /** Makes the name of a client, which belongs to no user yet, that of a user. */
    record Reserve(String client, String user) implements AccessStatement {
    }

    /** Lists users, roles, members and grants. */
    record Show() implements AccessStatement {
    }

    /** Tells the user, its roles and its client. */
    record WhoAmI() implements AccessStatement {
    }

    /** @return false if it only shows something */
    default boolean changes() {
        return !(this instanceof Show || this instanceof WhoAmI);
    }

    /**
     * Reads a statement, such as {@code create role readers} or {@code grant readers to alice}.
     *
     * @throws IllegalArgumentException if it is none; the message says what there is
     */
    static AccessStatement parse(String text) {
        return AccessSyntax.parse(text.strip());
    }
}
