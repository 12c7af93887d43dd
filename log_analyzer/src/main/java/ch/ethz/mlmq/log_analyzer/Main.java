package ch.ethz.mlmq.log_analyzer;

/** The command line. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        System.out.println("ok");
    }
}
