package ch.ethz.mlmq.storage.access;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The rights of one user at one moment. What was worked out once is kept. Any thread may use it. */
public final class Rights {
    /** The rights of somebody who is no user. */
    public static final Rights NONE = new Rights("", List.of(), List.of());
    private static final int KEPT = 10_000;
    private static final int ALL = Right.SEND.bit() | Right.RECEIVE.bit() | Right.MANAGE.bit();

    /** The storage itself refuses these to others than the client of a personal queue, and says so. */
    private static final int OF_ITS_CLIENT = Right.RECEIVE.bit() | Right.MANAGE.bit();

    private final String account;
    private final List<Grant> grants;
    private final List<Grant> everybody;
    private final Map<Long, Integer> known = new ConcurrentHashMap<>();

    /** @param grants to the user and its roles. @param everybody grants to everybody */
    Rights(String account, List<Grant> grants, List<Grant> everybody) {
        this.account = account;
        this.grants = grants;
        this.everybody = everybody;
    }

    /** @return the rights on the object, a sum of {@link Right#bit()}; -1 if they were not worked out yet */
    public int known(Grant.Kind kind, int id) {
        Integer rights = known.get(key(kind, id));
        return rights == null ? -1 : rights;
    }

    /** @return the rights on the object, a sum of {@link Right#bit()} */
    public int on(Grant.Kind kind, int id, Owned object) {
        int granted = object.client() == 0 ? on(Grant.Kind.QUEUE, object.name())
                : on(Grant.Kind.CLIENT, object.name()) | OF_ITS_CLIENT;
        int rights = isOwner(object) ? ALL : granted;
        if (known.size() < KEPT && object.isFinal()) {
            known.put(key(kind, id), rights);
        }
        return rights;
    }

    private boolean isOwner(Owned object) {
        return !object.account().isEmpty() && object.account().equals(account);
    }

    /** @return the rights on all objects of that name, a sum of {@link Right#bit()} */
    public int on(Grant.Kind kind, String name) {
        return Stream.concat(grants.stream(), everybody.stream()).filter(grant -> grant.matches(kind, name))
                .mapToInt(Grant::rights).reduce(0, (one, other) -> one | other);
    }

    private static long key(Grant.Kind kind, int id) {
        return (long) kind.ordinal() << Integer.SIZE | id & 0xffff_ffffL;
    }
}
