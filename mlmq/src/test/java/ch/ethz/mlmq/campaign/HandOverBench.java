package ch.ethz.mlmq.campaign;

/**
 * The program behind {@code bench/handover}. Arguments: seconds, seed. Prints a line for each stall and the books at
 * the end, when it is interrupted too. Exit code 1 where a message was lost or doubled.
 */
public final class HandOverBench {
    private HandOverBench() {
    }

    public static void main(String[] args) throws Exception {
        boolean even;
        Interruption interruption = null;
        try (HandOverCampaign campaign = new HandOverCampaign(Long.parseLong(args[1]), System.out::println)) {
            interruption = Interruption.of(campaign::cutShort);
            HandOverCampaign.Books books = campaign.run(Integer.parseInt(args[0]));
            even = books.isEven();
            System.out.println(books);
        } finally {
            if (interruption != null) {
                interruption.over();
            }
        }
        // A JVM that was told to end keeps its exit code; another one gets it here.
        Runtime.getRuntime().halt(even ? 0 : 1);
    }
}
