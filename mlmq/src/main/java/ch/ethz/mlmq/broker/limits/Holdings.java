package ch.ethz.mlmq.broker.limits;

import java.util.ArrayList;
import java.util.List;

/** What one connection counts for its user and its address. Belongs to its I/O thread. */
public final class Holdings {
    private final List<Shares> places = new ArrayList<>(2);
    private final List<Share> shares = new ArrayList<>(2);
    private long bytes;

    /** Makes it a connection of that user or address, too. @return null, or why it does not come in */
    public String enter(Shares all, String name) {
        if (all.areUnlimited()) {
            return null;
        }
        Share share = all.enter(name);
        if (share == null) {
            return all.tooMany(name);
        }
        share.hold(bytes);
        shares.add(share);
        places.add(all);
        return null;
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
