package ch.ethz.mlmq.protocol.scram;

/** The client's side of one sign-in. */
public final class ScramClient {
    /** Iterations beyond which a server wants to waste the client's time. */
    static final int ITERATIONS_MAX = 100_000;

    private final byte[] binding;
    private final String header;
    private final String firstBare;
    private final String nonce;
    private String serverFirst;
    private String serverNonce;
    private byte[] expectedSignature;

    /**
     * What the server asks the client to do with its password.
     *
     * @param salt       base of the iterations
     * @param iterations number of HMACs
     */
    public record Work(byte[] salt, int iterations) {
        /** @return the salted password, after milliseconds; it is a secret like the password */
        public byte[] of(String password) {
            return Scram.saltedPassword(SaslPrep.of(password), salt, iterations);
        }
    }

    /**
     * @param name     of the user
     * @param binding  of the connection; null if it has none
     * @param isBound  true if the server offers {@link Scram#MECHANISM_PLUS}
     */
    public ScramClient(String name, byte[] binding, boolean isBound) {
        this(name, binding, isBound, Scram.nonce());
    }

    ScramClient(String name, byte[] binding, boolean isBound, String nonce) {
        this.nonce = nonce;
        this.binding = isBound ? binding : null;
        this.header = flag(binding != null, isBound) + ",,";
        this.firstBare = "n=" + name.replace("=", "=3D").replace(",", "=2C") + ",r=" + nonce;
    }

    private static String flag(boolean canBind, boolean isBound) {
        if (!canBind) {
            return "n";
        }
        return isBound ? "p=" + Scram.BINDING : "y";
    }

    /** @return the mechanism that it uses */
    public String mechanism() {
        return binding == null ? Scram.MECHANISM : Scram.MECHANISM_PLUS;
    }

    /** @return the first message */
    public byte[] begin() {
        return Scram.bytesOf(header + firstBare);
    }

    /** @param challenge of the server. @return what to do with the password */
    public Work work(byte[] challenge) throws ScramException {
        serverFirst = Scram.text(challenge);
        String[] parts = serverFirst.split(",", -1);
        if (parts.length < 3) {
            throw new ScramException("the challenge lacks a nonce, a salt or the iterations");
        }
        serverNonce = Scram.value(parts[0], 'r');
        if (!serverNonce.startsWith(nonce) || serverNonce.length() == nonce.length()) {
            throw new ScramException("the nonce is not that of this sign-in");
        }
        byte[] salt = Scram.bytes(Scram.value(parts[1], 's'));
        String iterations = Scram.value(parts[2], 'i');
        int count = iterations.matches("\\d{1,7}") ? Integer.parseInt(iterations) : 0;
        if (salt.length == 0 || count < Scram.ITERATIONS || count > ITERATIONS_MAX) {
            throw new ScramException("the challenge has no salt, or not " + Scram.ITERATIONS + ".." + ITERATIONS_MAX
                    + " iterations");
        }
        return new Work(salt, count);
    }

    /** @return the last message, with the proof that the password is known. @param saltedPassword result of the work */
    public byte[] end(byte[] saltedPassword) {
        String withoutProof = "c=" + Scram.bound(header, binding) + ",r=" + serverNonce;
        String conversation = firstBare + "," + serverFirst + "," + withoutProof;
        byte[] clientKey = Scram.clientKey(saltedPassword);
        byte[] proof = Scram.xor(clientKey, Scram.hmac(Scram.hash(clientKey), conversation));
        expectedSignature = Scram.hmac(Scram.serverKey(saltedPassword), conversation);
        return Scram.bytesOf(withoutProof + ",p=" + Scram.base64(proof));
    }

    /** @throws ScramException if the server does not prove that it knows the user either */
    public void check(byte[] serverLast) throws ScramException {
        if (expectedSignature == null
                || !Scram.isSame(Scram.bytes(Scram.value(Scram.text(serverLast), 'v')), expectedSignature)) {
            throw new ScramException("the broker does not know the user either: it may be another program");
        }
    }
}
