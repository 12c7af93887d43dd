package ch.ethz.mlmq.broker.limits;

import java.util.ArrayList;
import java.util.List;

/** What one connection counts for its user and its address. Belongs to its I/O thread. */
public final class Holdings {
    private final List<Shares> places = new ArrayList<>(2);
    private final List<Share> shares = new ArrayList<>(2);
    private long bytes;
    /** True if it may have come in beyond a limit. */
    private boolean provisional;

    /** Makes it a connection of that user or address, too. @return null, or why it does not come in */
    public String enter(Shares all, String name) {
        return enter(all, name, null);
    }

    /** The same, with one place beyond the limit: {@link #exceeded} tells whether it was taken. */
    public String enterProvisionally(Shares all, String name) {
        return enter(all, name, this);
    }

    private String enter(Shares all, String name, Holdings provisionally) {
        if (all.areUnlimited()) {
            return null;
        }
        Share share = all.enter(name, provisionally);
        if (share == null) {
            return all.tooMany(name);
        }
        provisional = provisionally != null;
        share.hold(bytes);
        shares.add(share);
        places.add(all);
        return null;
    }

    /** @return the limit beyond which it came in, if the others are still as many; else null */
    public String exceeded() {
        int last = shares.size() - 1;
        provisional = provisional && last >= 0 && places.get(last).isBeyond(shares.get(last), this);
        return provisional ? places.get(last).tooMany(shares.get(last).name) : null;
    }

    /** Counts bytes that the connection holds, or releases. */
    public void hold(long change) {
        bytes += change;
        for (int i = 0; i < shares.size(); i++) {
            shares.get(i).hold(change);
        }
    }

    /** @return why there is no room for one more request, or null if there is */
    public String obstacle(long now) {
        for (int i = 0; i < shares.size(); i++) {
            String obstacle = shares.get(i).obstacle(now);
            if (obstacle != null) {
                return obstacle;
            }
        }
        return null;
    }

    /** Gives everything back. What the connection releases later counts no more. */
    public void leave() {
        hold(-bytes);
        for (int i = 0; i < shares.size(); i++) {
            places.get(i).leave(shares.get(i));
        }
        shares.clear();
        places.clear();
    }
}
