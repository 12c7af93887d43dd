package ch.ethz.mlmq.broker.access;

import ch.ethz.mlmq.broker.audit.AuditLog;
import ch.ethz.mlmq.broker.audit.Refusal;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.scram.Scram;
import ch.ethz.mlmq.protocol.scram.ScramException;
import ch.ethz.mlmq.protocol.scram.ScramServer;
import ch.ethz.mlmq.storage.access.Account;
import ch.ethz.mlmq.storage.access.AccountDirectory;

/** The only sign-in of one connection. Belongs to its I/O thread. */
public final class SignIn {
    /** What both a wrong password and an unknown user get. */
    private static final String WRONG = "user or password is wrong";

    private final Users users;
    private final String address;
    private final byte[] binding;
    private ScramServer server;
    private boolean failed;
    private Account account;

    SignIn(Users users, String address, byte[] binding) {
        this.users = users;
        this.address = address;
        this.binding = binding;
    }

    /** @return the user; null before the sign-in has succeeded */
    public Account account() {
        return account;
    }

    /** @return a challenge, or a failure after which the connection is of no use */
    public Response step(Request.Authenticate step) {
        if (failed || account != null) {
            return failure("a connection signs in once");
        }
        try {
            return server == null ? begin(step) : end(step);
        } catch (ScramException e) {
            return failed("the sign-in is not valid: " + e.getMessage());
        }
    }

    private Response begin(Request.Authenticate step) throws ScramException {
        if (!Users.mechanisms(binding).contains(step.mechanism())) {
            return failed("the mechanisms are " + String.join(", ", Users.mechanisms(binding)) + ", and not what was "
                    + "asked for");
        }
        server = new ScramServer(step.mechanism(), binding);
        AccountDirectory directory = users.directory();
        byte[] challenge = server.begin(step.data(), directory::verifier);
        return isRefused() ? tooMany() : new Response.Challenge(false, challenge);
    }

    private Response end(Request.Authenticate step) throws ScramException {
        if (!step.mechanism().isEmpty()) {
            return failed("the second step of a sign-in names no mechanism");
        }
        if (isRefused()) {
            return tooMany();
        }
        byte[] proof = server.end(step.data());
        // Looked up again, as the user may have been removed since the first step.
        Account found = users.directory().account(server.name());
        if (proof == null || found == null) {
            return failed(WRONG);
        }
        users.attempts().succeeded(found.name(), address);
        account = found;
        return new Response.Challenge(true, proof);
    }

    private boolean isRefused() {
        return users.attempts().isRefused(server.name(), address, System.nanoTime());
    }

    private Response tooMany() {
        failed = true;
        users.audit().refused(Refusal.ATTEMPTS, who());
        return failure("too many sign-ins have failed from this address or for this user: try again in a minute");
    }

    private Response failed(String why) {
        failed = true;
        String name = server == null || server.name() == null ? "" : server.name();
        users.attempts().failed(name, address, System.nanoTime());
        users.audit().refused(Refusal.PASSWORD, who());
        return failure(why);
    }

    /** A name that is no user's is not written down, as it may be a password that was typed there. */
    private AuditLog.Who who() {
        String name = server == null || server.name() == null ? "" : server.name();
        return new AuditLog.Who(users.directory().account(name) == null ? "" : name, address);
    }

    private static Response failure(String why) {
        return new Response.Failure(Status.NOT_AUTHENTICATED, why);
    }

    /** Shows no key. */
    @Override
    public String toString() {
        return "sign-in from " + address + " by " + Scram.MECHANISM;
    }
}
