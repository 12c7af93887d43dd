package ch.ethz.mlmq.campaign;

import java.io.IOException;
import java.sql.SQLException;

/**
 * The program behind {@code bench/kill}. Arguments: kills, seed, whether all queues are read under leases. Prints a
 * line for each kill and the books at the end, when it is interrupted too. Exit code 1 where a message was lost or
 * doubled.
 */
public final class KillBench {
    private KillBench() {
    }

    public static void main(String[] args) {
        boolean even = false;
        try {
            even = run(args);
        } catch (Throwable e) {
            e.printStackTrace();
        }
        // A JVM that was told to end keeps its exit code; another one gets it here, even if threads are left.
        Runtime.getRuntime().halt(even ? 0 : 1);
    }

    private static boolean run(String[] args) throws Exception {
        Interruption interruption = null;
        try (KillCampaign campaign = new KillCampaign(Long.parseLong(args[1]), Boolean.parseBoolean(args[2]),
                System.out::println)) {
            interruption = Interruption.of(campaign::cutShort);
            Balance balance = campaign.run(Integer.parseInt(args[0]));
            if (!balance.isEven()) {
                System.out.println(explain(campaign));
            }
            System.out.println(balance);
            return balance.isEven();
        } finally {
            if (interruption != null) {
                interruption.over();
            }
        }
    }

    /** @return what is known of the messages in trouble, and where the logs are kept */
    static String explain(KillCampaign campaign) {
        try {
            return String.join("\n", campaign.troubles()) + "\nlogs are kept in " + campaign.keepLogs();
        } catch (IOException | SQLException e) {
            return "and what became of them cannot be told: " + e;
        }
    }
}
