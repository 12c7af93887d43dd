package ch.ethz.mlmq.protocol.scram;

import java.util.function.Function;

/** The server's side of one sign-in. It does a few HMACs, and never the iterations of a password. */
public final class ScramServer {
    private static final int NAME_MAX = 255;

    private final byte[] binding;
    private final boolean bound;
    private final String nonce;
    private String name;
    private String header;
    private String firstBare;
    private String serverFirst;
    private ScramVerifier verifier;

    /**
     * @param mechanism one of {@link Scram#MECHANISM} and {@link Scram#MECHANISM_PLUS}
     * @param binding   of the connection; null if it has none
     */
    public ScramServer(String mechanism, byte[] binding) {
        this(mechanism, binding, Scram.nonce());
    }

    ScramServer(String mechanism, byte[] binding, String nonce) {
        this.bound = mechanism.equals(Scram.MECHANISM_PLUS);
        this.binding = binding;
        this.nonce = nonce;
        if (bound && binding == null) {
            throw new IllegalArgumentException("there is nothing to bind to");
        }
    }

    /** @return name that the client says it has; null before its first message */
    public String name() {
        return name;
    }

    /** @return true after the client's first message */
    public boolean hasBegun() {
        return serverFirst != null;
    }

    /**
     * @param message   the client's first message
     * @param verifiers finds the verifier of a name, or makes one {@linkplain ScramVerifier#ofNobody of nobody}
     * @return the challenge
     */
    public byte[] begin(byte[] message, Function<String, ScramVerifier> verifiers) throws ScramException {
        String first = Scram.text(message);
        int flagEnd = first.indexOf(',');
        int headerEnd = flagEnd < 0 ? -1 : first.indexOf(',', flagEnd + 1);
        if (headerEnd < 0) {
            throw new ScramException("the first message has no header");
        }
        checkFlag(first.substring(0, flagEnd));
        if (headerEnd != flagEnd + 1) {
            throw new ScramException("nobody can act for another user");
        }
        header = first.substring(0, headerEnd + 1);
        firstBare = first.substring(headerEnd + 1);
        String[] parts = firstBare.split(",", -1);
        if (parts.length < 2) {
            throw new ScramException("the first message lacks a name or a nonce");
        }
        name = name(Scram.value(parts[0], 'n'));
        String clientNonce = Scram.value(parts[1], 'r');
        if (clientNonce.isEmpty() || !clientNonce.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new ScramException("a nonce has printable ASCII characters only");
        }
        verifier = verifiers.apply(name);
        serverFirst = "r=" + clientNonce + nonce + "," + verifier.challenge();
        return Scram.bytesOf(serverFirst);
    }

    /** A client that could bind and was told that this server cannot is between two that can: somebody lies to it. */
    private void checkFlag(String flag) throws ScramException {
        boolean isBinding = flag.startsWith("p=");
        if (isBinding && !flag.equals("p=" + Scram.BINDING)) {
            throw new ScramException("the only channel binding is " + Scram.BINDING);
        }
        if (isBinding != bound) {
            throw new ScramException("the channel binding of the message is not that of the mechanism");
        }
        if (flag.equals("y") && binding != null) {
            throw new ScramException("the client was told that this broker has no channel binding, and it has");
        }
        if (!isBinding && !flag.equals("y") && !flag.equals("n")) {
            throw new ScramException("the first message has no header");
        }
    }

    private static String name(String escaped) throws ScramException {
        String decoded = escaped.replace("=2C", ",").replace("=3D", "=");
        if (escaped.replace("=2C", "").replace("=3D", "").indexOf('=') >= 0 || decoded.isEmpty()
                || decoded.length() > NAME_MAX) {
            throw new ScramException("a name has 1.." + NAME_MAX + " characters, with , and = as =2C and =3D");
        }
        return decoded;
    }

    /**
     * @param message the client's last message
     * @return the server's proof; null if the client has not proved that it knows the password
     */
    public byte[] end(byte[] message) throws ScramException {
        String last = Scram.text(message);
        int proofAt = last.lastIndexOf(",p=");
        if (proofAt < 0) {
            throw new ScramException("the last message lacks the proof");
        }
        String withoutProof = last.substring(0, proofAt);
        String[] parts = withoutProof.split(",", -1);
        if (parts.length < 2) {
            throw new ScramException("the last message lacks the nonce");
        }
        byte[] proof = Scram.bytes(last.substring(proofAt + 3));
        String sent = serverFirst.substring(2, serverFirst.indexOf(','));
        if (!Scram.isSame(Scram.bytesOf(Scram.value(parts[1], 'r')), Scram.bytesOf(sent))) {
            throw new ScramException("the nonce is not that of this sign-in");
        }
        if (!Scram.value(parts[0], 'c').equals(Scram.bound(header, bound ? binding : null))) {
            throw new ScramException("the channel binding is that of another connection");
        }
        if (proof.length != Scram.KEY_BYTES) {
            throw new ScramException("a proof has " + Scram.KEY_BYTES + " bytes");
        }
        String conversation = firstBare + "," + serverFirst + "," + withoutProof;
        return verifier.accepts(proof, conversation)
                ? Scram.bytesOf("v=" + Scram.base64(verifier.signature(conversation))) : null;
    }
}
