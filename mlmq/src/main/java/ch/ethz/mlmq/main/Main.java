package ch.ethz.mlmq.main;

/** The command line. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        System.out.println("ok");
    }
}
