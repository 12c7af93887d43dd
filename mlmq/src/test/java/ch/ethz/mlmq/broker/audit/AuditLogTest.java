package ch.ethz.mlmq.broker.audit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.access.Account;
import ch.ethz.mlmq.storage.access.AccountDirectory;
import ch.ethz.mlmq.storage.access.Grant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    private static final AuditLog.Who ALICE = new AuditLog.Who("alice", "10.0.0.1");
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z ";

    @TempDir
    private Path folder;

    @Test
    void shouldWriteALineForEachEventBehindEarlierOnes() throws IOException {
        Path file = Files.writeString(folder.resolve("audit.log"), "earlier\n");
        AuditLog log = AuditLog.to(file);
        log.happened("connected", ALICE, "");
        log.executed(new Request.CreateQueue("jobs"), new Response.QueueFound(3, "jobs"), () -> ALICE);
        log.executed(new Request.DeleteQueue(3, false), Response.Done.INSTANCE, () -> ALICE);
        log.executed(new Request.DeleteQueue(4, false), new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, ""),
                () -> ALICE);
        log.executed(new Request.Echo(new byte[1]), new Response.Echoed(new byte[1]), () -> ALICE);
        log.executed(new Statement("grant send on queue 'a' to bob"), new Response.Report("granted"), () -> ALICE);
        log.executed(new Statement("list users"), new Response.Report(""), () -> ALICE);
        log.executed(new Statement("limit queue jobs to  5 messages"), new Response.Report(""), () -> ALICE);
        log.executed(new Statement("describe queue jobs"), new Response.Report(""), () -> ALICE);
        log.executed(new Statement("limit queue jobs to nothing"), new Response.Failure(Status.INVALID_REQUEST, ""),
                () -> ALICE);
        log.onClose();

        assertThat(withoutTimes(file)).containsExactly("earlier", "connected user=alice address=10.0.0.1",
                "created user=alice address=10.0.0.1 queue=jobs id=3",
                "deleted user=alice address=10.0.0.1 queue id=3",
                "changed user=alice address=10.0.0.1 grant send on queue 'a' to bob",
                "changed user=alice address=10.0.0.1 limit queue jobs to 5 messages");
        assertThat(Files.readAllLines(file).get(1)).matches(TIME + ".*");
    }

    @Test
    void shouldWriteWhoReachedALimitOfItsUser() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        Response.Failure tooMany = new Response.Failure(Status.OVERLOADED, "user alice has too many");
        log.executed(new Request.CreateQueue("jobs"), tooMany, () -> ALICE);
        log.executed(new TopicRequest.CreateTopic("news"), tooMany, () -> ALICE);
        log.executed(new TopicRequest.Subscribe(1, "all", "", true), tooMany, () -> ALICE);
        log.executed(new Request.Register("name"), tooMany, () -> ALICE);
        log.executed(new Request.DeleteQueue(1, true), tooMany, () -> ALICE);
        log.onClose();

        assertThat(withoutTimes(file)).containsExactly("refused user=alice address=10.0.0.1 reason=limit times=4");
    }

    @Test
    void shouldWriteOneLineForFurtherArrivalsOfAUserInASecond() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        for (int i = 0; i < 5; i++) {
            log.arrived("connected", new AuditLog.Who("alice", "10.0.0." + i), "");
            log.executed(new Request.Register("c" + i, 0), new Response.Registered(1, 2, 0), () -> ALICE);
        }
        log.arrived("connected", new AuditLog.Who("bob", "10.0.0.9"), "");
        log.onClose();

        assertThat(withoutTimes(file)).containsExactlyInAnyOrder("connected user=alice address=10.0.0.0",
                "registered user=alice address=10.0.0.1 client=c0", "connected user=bob address=10.0.0.9",
                "connected user=alice address=10.0.0.4 times=4",
                "registered user=alice address=10.0.0.1 client=c4 times=4");
    }

    @Test
    void shouldWriteWhatHasChangedBetweenTwoLooksAtTheUsers() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        Grant grant = Grant.parse("grant send on queue 'a' to alice").grant();
        log.noticed(users(Map.of(), grant, "alice", "bob"), users(Map.of("bob", List.of("readers")), grant, "bob"));
        log.noticed(users(Map.of(), grant, "bob"), users(Map.of(), grant, "bob"));
        log.onClose();

        assertThat(withoutTimes(file)).containsExactly("noticed user=- address=- gone: user alice",
                "noticed user=- address=- new: grant readers to bob");
    }

    private static AccountDirectory users(Map<String, List<String>> roles, Grant grant, String... names) {
        return new AccountDirectory(new byte[32], Stream.of(names).collect(Collectors.toMap(name -> name,
                name -> new Account(name, 1, null))), roles, Set.of(), List.of(grant), Map.of());
    }

    @Test
    void shouldWriteNewPasswordsNewRolesAndUsersThatWereAddedAgain() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        ScramVerifier old = ScramVerifier.of("old");
        ScramVerifier other = ScramVerifier.of("other");
        log.noticed(users(Set.of("readers"), new Account("alice", 1, old), new Account("bob", 1, old),
                new Account("carol", 1, null)), users(Set.of("writers"), new Account("alice", 1, other),
                new Account("bob", 2, other), new Account("carol", 1, old)));
        log.onClose();

        String who = "noticed user=- address=- ";
        assertThat(withoutTimes(file)).containsExactlyInAnyOrder(who + "gone: role readers", who + "new: role writers",
                who + "gone: user bob", who + "new: user bob", who + "new: password of user alice",
                who + "new: password of user carol");
    }

    private static AccountDirectory users(Set<String> roles, Account... accounts) {
        return new AccountDirectory(new byte[32], Stream.of(accounts).collect(Collectors.toMap(Account::name,
                account -> account)), Map.of(), roles, List.of(), Map.of());
    }

    @Test
    void shouldWriteAStatementOfSeveralLinesInOne() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        log.executed(new Statement("grant\nsend  on\r\nqueue 'a' to bob"), new Response.Report("granted"), () -> ALICE);
        log.onClose();

        assertThat(withoutTimes(file)).containsExactly("changed user=alice address=10.0.0.1 grant send on queue 'a' "
                + "to bob");
    }

    @Test
    void shouldBeginALineBehindOneThatWasTorn() throws IOException {
        Path file = Files.writeString(folder.resolve("audit.log"), "a line\n2026-11");
        AuditLog log = AuditLog.to(file);
        log.happened("connected", ALICE, "");
        log.onClose();

        assertThat(withoutTimes(file)).containsExactly("a line", "2026-11",
                "connected user=alice address=10.0.0.1");
    }

    @Test
    void shouldWriteNoVerifier() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        log.executed(new Statement("create user bob password '" + ScramVerifier.of("secret").text() + "'"),
                new Response.Report("added"), () -> ALICE);
        log.onClose();

        assertThat(withoutTimes(file)).containsExactly("changed user=alice address=10.0.0.1 create user bob "
                + "password '…'");
    }

    @Test
    void shouldWriteWhoWantedWhatBelongsToOthers() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        log.executed(new Request.Register("hers"), new Response.Failure(Status.NOT_PERMITTED, ""), () -> ALICE);
        log.executed(new Request.DeleteQueue(1, false), new Response.Failure(Status.NOT_OWNER, ""), () -> ALICE);
        log.executed(new Request.DeleteQueue(2, false), new Response.Failure(Status.QUEUE_NOT_EMPTY, ""), () -> ALICE);
        log.onClose();

        assertThat(withoutTimes(file)).containsExactly("refused user=alice address=10.0.0.1 reason=permission times=2");
    }

    @Test
    void shouldWriteOneLineForManyRefusals() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        for (int i = 0; i < 100_000; i++) {
            log.refused(Refusal.PASSWORD, new AuditLog.Who("", "10.0.0." + i % 256));
        }
        log.refused(Refusal.LIMIT, ALICE);
        log.onClose();

        assertThat(withoutTimes(file)).containsExactly("refused user=- address=10.0.0.159 reason=password times=100000",
                "refused user=alice address=10.0.0.1 reason=limit times=1");
    }

    @Test
    void shouldSayHowManyLinesFoundNoRoom() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditLog log = AuditLog.to(file);
        for (int i = 0; i < 10_003; i++) {
            log.happened("connected", ALICE, "");
        }
        log.doWork();
        log.onClose();

        assertThat(withoutTimes(file)).hasSize(10_001).endsWith("lost times=3");
    }

    @Test
    void shouldBeginAgainWhenAFileIsFullAndKeepTheLastOnes() throws IOException {
        Path file = folder.resolve("audit.log");
        AuditFile lines = new AuditFile(file, 20);
        for (int i = 10; i < 40; i++) {
            lines.write("line " + i);
        }
        lines.close();

        assertThat(Files.readString(file)).isEqualTo("line 38\nline 39\n");
        assertThat(Files.readString(folder.resolve("audit.log.1"))).isEqualTo("line 36\nline 37\n");
        assertThat(Files.readString(folder.resolve("audit.log.4"))).isEqualTo("line 30\nline 31\n");
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize(1 + AuditFile.KEPT);
        }
    }

    @Test
    void shouldGoOnAfterTheDiskHasRefusedALine() throws IOException {
        Path file = folder.resolve("missing").resolve("audit.log");
        Files.writeString(folder.resolve("missing"), "no folder");
        AuditLog log = AuditLog.to(file);
        log.happened("connected", ALICE, "");
        assertThat(log.doWork()).isZero();
        Files.delete(folder.resolve("missing"));

        assertThat(log.doWork()).isEqualTo(1);
        assertThat(withoutTimes(file)).containsExactly("connected user=alice address=10.0.0.1");
        log.onClose();
    }

    private static List<String> withoutTimes(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(line -> line.replaceFirst("^" + TIME, "")).toList();
    }
}
