package ch.ethz.mlmq.protocol.scram;

/** A message of the other side is not what SCRAM expects, or proves nothing; the text says why, without secrets. */
public final class ScramException extends Exception {
    private static final long serialVersionUID = 1L;

    ScramException(String message) {
        super(message);
    }
}
