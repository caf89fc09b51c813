package dev.nodekeeper.it.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.share.Layout;
import dev.nodekeeper.share.LeaseSharing;
import dev.nodekeeper.share.Terms;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.fault.Match;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("Leases on the real API server: as even as can be, and never two owners")
final class LeaseIT {
  private static final Duration LEASE = Duration.ofSeconds(8);
  private static final String PREFIX = "nodekeeper";

  private final World world = new World();
  private final List<Sharer> sharers = new ArrayList<>();

  @AfterEach
  void end() throws Exception {
    world.close();
    world.admin.delete(leases()).expect();
  }

  // ---- words

  private String leases() {
    return "/apis/coordination.k8s.io/v1/namespaces/" + world.namespace + "/leases";
  }

  private String lease(int shard, int shards) {
    return leases() + "/" + PREFIX + (shards == 1 ? "" : "-" + shard + "-of-" + shards);
  }

  private Sharer start(int shards) {
    return start(shards, Duration.ZERO);
  }

  private Sharer start(int shards, Duration clock) {
    return start(shards, clock, Terms.DEFAULT);
  }

  private Sharer start(int shards, Duration clock, Terms terms) {
    Sharer sharer = new Sharer(world, new Layout(world.namespace, PREFIX, shards), clock, terms);
    sharers.add(sharer);
    return sharer;
  }

  /** Waits, and looks all the time that no shard has two owners; how long it took. */
  private Duration until(String what, BooleanSupplier there) {
    long began = System.nanoTime();
    await(what)
        .atMost(World.HANG)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              assertOneOwner();
              return there.getAsBoolean();
            });
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** NB: one snapshot after the other, so a hand-over in between cannot look like two owners. */
  private void assertOneOwner() {
    BitSet seen = new BitSet();
    for (Sharer sharer : sharers) {
      BitSet owned = sharer.shares().owned();
      BitSet both = (BitSet) owned.clone();
      both.and(seen);
      both.stream()
          .forEach(
              shard ->
                  assertThat(sharers.stream().filter(s -> s.shares().owns(shard)).map(s -> s.name))
                      .as("owners of shard %d", shard)
                      .hasSizeLessThan(2));
      seen.or(owned);
    }
  }

  private boolean even(Sharer... among) {
    int shards = among[0].shares().count();
    BitSet all = new BitSet();
    for (Sharer sharer : among) {
      int owned = sharer.owned();
      if (owned < shards / among.length || owned > (shards + among.length - 1) / among.length) {
        return false;
      }
      all.or(sharer.shares().owned());
    }
    return all.cardinality() == shards;
  }

  private static void figure(String what, Duration took) {
    System.out.printf("LeaseIT: %s: %d ms%n", what, took.toMillis());
  }

  /** How often each lease went from hand to hand. */
  private Map<String, String> transitions() {
    return world.admin.list(leases()).stream()
        .collect(
            Collectors.toMap(
                lease -> lease.path("metadata").path("name").asText(),
                lease -> lease.path("spec").path("leaseTransitions").asText()));
  }

  // ---- promises

  @Test
  @DisplayName(
      "two, then three share 16; who stops hands over within 2 s and leaves nothing behind")
  void joinAndLeave() {
    Sharer a = start(16);
    Sharer b = start(16, Duration.ofDays(3650));
    figure("two share 16", until("two", () -> even(a, b)));
    Sharer c = start(16, Duration.ofDays(-3650));
    figure("a third has its part", until("three", () -> even(a, b, c)));
    assertThat(a.sharing.members()).isEqualTo(3);

    long stopped = System.nanoTime();
    a.sharing.close();
    Duration closing = Duration.ofNanos(System.nanoTime() - stopped);
    assertThat(a.owned()).isZero();
    until("the others have all", () -> even(b, c));
    figure("clean stop, close() itself", closing);
    figure("clean stop, all taken over", Duration.ofNanos(System.nanoTime() - stopped));
    assertThat(world.admin.list(leases()))
        .noneMatch(lease -> lease.path("spec").path("holderIdentity").asText().equals(a.name))
        .hasSize(16 + 2);
    for (int shard = 0; shard < 16; shard++) {
      Sharer owner = b.shares().owns(shard) ? b : c;
      JsonNode seen = world.admin.get(lease(shard, 16)).expect();
      assertThat(seen.path("spec").path("holderIdentity").asText()).isEqualTo(owner.name);
      assertThat(owner.shares().since(shard))
          .isPositive()
          .isLessThanOrEqualTo(seen.path("metadata").path("resourceVersion").asLong());
    }
    Map<String, String> before = transitions();
    int renewals = b.proxy.count(Match.put(leases() + "/*"));
    until("renewed", () -> b.proxy.count(Match.put(leases() + "/*")) > renewals + 27);
    assertThat(transitions()).as("nothing moves when nothing happens").isEqualTo(before);
    assertThat(b.failures.get() + c.failures.get()).isZero();
  }

  @Test
  @DisplayName("who is cut off stops by itself, and is replaced after the lease and not before")
  void crash() {
    Sharer a = start(16);
    Sharer b = start(16);
    until("two", () -> even(a, b));
    long renewed = System.nanoTime();
    a.vanish();
    Duration stopped = until("a has stopped by itself", () -> a.owned() == 0);
    assertThat(b.owned()).as("not taken before the old owner stopped").isEqualTo(8);
    until("b has all", () -> b.owned() == 16);
    Duration took = Duration.ofNanos(System.nanoTime() - renewed);
    figure("crash, the owner itself stopped after", stopped);
    figure("crash, all taken over", took);
    // Its last renewal was at most a quarter of a lease before.
    assertThat(took).isGreaterThan(LEASE.minus(LEASE.dividedBy(4)));
    assertThat(a.sharing.problem()).as("the API server's fault is no reason to restart").isEmpty();

    a.proxy.heal();
    figure("back again, even", until("even again", () -> even(a, b)));
  }

  @Test
  @DisplayName("one lease is plain leader election: one owner at any time, over a crash and a stop")
  void leader() {
    Sharer a = start(1, Duration.ofDays(-3650));
    until("a leads", () -> a.owned() == 1);
    Sharer b = start(1);
    Sharer c = start(1, Duration.ofDays(3650));
    assertThat(world.admin.list(leases())).as("no members, no balance").hasSize(1);
    a.vanish();
    figure("leader crashed, next leads", until("next", () -> b.owned() + c.owned() == 1));
    assertThat(a.owned()).isZero();
    Sharer second = b.owned() == 1 ? b : c;
    Sharer third = second == b ? c : b;
    long began = System.nanoTime();
    second.sharing.close();
    until("third", () -> third.owned() == 1);
    figure("leader stopped, next leads", Duration.ofNanos(System.nanoTime() - began));
  }

  @Test
  @DisplayName("7 on 3 shards: three have one each, and the others follow when these go")
  void moreReplicasThanShards() {
    for (int i = 0; i < 7; i++) {
      start(3);
    }
    until("all see all", () -> sharers.stream().allMatch(s -> s.sharing.members() == 7));
    until("three have one", () -> sharers.stream().filter(s -> s.owned() == 1).count() == 3);
    List<Sharer> owners = sharers.stream().filter(s -> s.owned() == 1).toList();
    owners.forEach(owner -> owner.sharing.close());
    until("the next three", () -> sharers.stream().filter(s -> s.owned() == 1).count() == 3);
  }

  @Test
  @DisplayName("a lease deleted by hand is made again; one given away by hand is lost at once")
  void byHand() {
    var terms = new Terms(32);
    Sharer a = start(1, Duration.ZERO, terms);
    until("a leads", () -> a.owned() == 1);
    Sharer b = start(1, Duration.ZERO, terms);
    until("b has looked", () -> b.proxy.count(Match.list("leases")) > 1);
    long first = a.shares().since(0);
    String uid = world.admin.get(lease(0, 1)).uid();

    world.admin.delete(lease(0, 1)).expect();
    until("made again", () -> world.admin.get(lease(0, 1)).ok() && a.shares().since(0) > first);
    assertThat(world.admin.get(lease(0, 1)).uid()).isNotEqualTo(uid);
    assertThat(b.owned()).isZero();

    ObjectNode theft = World.JSON.createObjectNode();
    theft.putObject("spec").put("holderIdentity", "somebody").put("leaseDurationSeconds", 100000);
    theft.putObject("metadata").putObject("annotations").put("example.com/why", "maintenance");
    world.admin.patch(lease(0, 1), Patch.MERGE, theft).expect();
    Duration lost = until("lost at once", () -> a.owned() == 0);
    figure("given away by hand, the owner stopped after", lost);
    assertThat(lost)
        .as("without waiting for its own lease to lapse")
        .isLessThan(Duration.ofSeconds(terms.leaseSeconds() / 2));

    ObjectNode shorter = World.JSON.createObjectNode();
    shorter.putObject("spec").put("leaseDurationSeconds", 1);
    world.admin.patch(lease(0, 1), Patch.MERGE, shorter).expect();
    until("taken again when it has expired", () -> a.owned() + b.owned() == 1);
    JsonNode after = world.admin.get(lease(0, 1)).expect();
    assertThat(after.path("metadata").path("annotations").path("example.com/why").asText())
        .as("what others wrote into it stays")
        .isEqualTo("maintenance");
  }

  @Test
  @DisplayName("a lease that lost its label is found all the same")
  void unlabelled() {
    Sharer a = start(1);
    until("a leads", () -> a.owned() == 1);
    ObjectNode bare = World.JSON.createObjectNode();
    bare.putObject("metadata").putObject("labels").putNull("nodekeeper.dev/lease");
    world.admin.patch(lease(0, 1), Patch.MERGE, bare).expect();
    until(
        "labelled again",
        () ->
            world
                .admin
                .get(lease(0, 1))
                .expect()
                .path("metadata")
                .path("labels")
                .has("nodekeeper.dev/lease"));
    until("a leads", () -> a.owned() == 1);
  }

  @Test
  @DisplayName("nothing is released while writes for it are in flight, and not much longer")
  void drains() {
    Sharer a = start(2);
    until("a has both", () -> a.owned() == 2);
    a.inFlight.addAll(List.of(0, 1));
    Sharer b = start(2);
    until("a gives one up", () -> a.owned() == 1);
    assertThat(b.owned()).isZero();
    long began = System.nanoTime();
    until("b has it", () -> b.owned() == 1);
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .as("waited for the writes")
        .isGreaterThan(Duration.ofMillis(700));
  }

  @Test
  @DisplayName("a server that hangs or is overloaded: closing takes 2 s, a 429 costs no lease")
  void badServer() {
    Sharer a = start(16);
    until("a has all", () -> a.owned() == 16);
    var busy = a.proxy.on(Match.writes()).firstOnes(20).answer(429, Duration.ofSeconds(60));
    until("refused 20 times", () -> a.failures.get() >= 20);
    until("renewed since", () -> a.proxy.count(Match.put(leases() + "/*")) > 60);
    a.proxy.lift(busy);
    assertThat(a.owned()).isEqualTo(16);

    a.proxy.fallSilent();
    long began = System.nanoTime();
    a.sharing.close();
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    figure("close() with a silent server", took);
    assertThat(took).isLessThan(Duration.ofSeconds(10));
    assertThat(a.owned()).isZero();
  }

  @Test
  @DisplayName("64 leases on a slow way, 50 ms a request: none ever lapses")
  void many() {
    Sharer a = start(64);
    a.proxy.on(Match.any()).delay(Duration.ofMillis(25), Duration.ofMillis(25));
    figure("64 leases at 50 ms, taken", until("a has all", () -> a.owned() == 64));
    int changes = a.changes.get();
    int renewals = a.proxy.count(Match.put(leases() + "/*"));
    Duration took =
        until("renewed", () -> a.proxy.count(Match.put(leases() + "/*")) >= renewals + 65 * 4);
    figure("64 leases at 50 ms, renewed four times", took);
    assertThat(a.owned()).isEqualTo(64);
    assertThat(a.changes.get()).isEqualTo(changes);
    assertThat(a.failures.get()).isZero();
  }

  @Test
  @DisplayName("without the right to leases everyone works alone, says so once, and comes back")
  void withoutRights() {
    var log = new ListAppender<ILoggingEvent>();
    var logger =
        (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(LeaseSharing.class.getName());
    log.start();
    logger.addAppender(log);
    String role =
        "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles/%s-%s"
            .formatted(world.namespace, world.user, world.namespace);
    JsonNode rules = world.admin.get(role).expect().path("rules");
    ObjectNode without = World.JSON.createObjectNode();
    without.putArray("rules").add(rules.path(0));
    world.admin.patch(role, Patch.MERGE, without).expect();
    try {
      Sharer a = start(4);
      Sharer b = start(4);
      await("all alone").atMost(World.HANG).until(() -> a.owned() == 4 && b.owned() == 4);
      assertThat(a.shares().since(0)).isZero();

      ObjectNode with = World.JSON.createObjectNode();
      with.set("rules", rules);
      world.admin.patch(role, Patch.MERGE, with).expect();
      await("shared").atMost(World.HANG).until(() -> even(a, b));
      assertThat(log.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .filteredOn(line -> line.contains("this one does all of it"))
          .hasSize(2)
          .allMatch(line -> line.contains("kubectl -n " + world.namespace + " create role"));
    } finally {
      logger.detachAppender(log);
    }
  }

  @Test
  @DisplayName("without a namespace nobody owns anything, and whoever makes namespaces is told")
  void withoutNamespace() {
    Layout nowhere = new Layout("nk-nowhere", PREFIX, 1);
    String role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/" + world.user;
    ObjectNode more = World.JSON.createObjectNode();
    var rules = more.putArray("rules");
    world.admin.get(role).expect().path("rules").forEach(rules::add);
    ObjectNode everywhere = rules.addObject();
    everywhere.putArray("apiGroups").add("coordination.k8s.io");
    everywhere.putArray("resources").add("leases");
    everywhere.putArray("verbs").add("*");
    world.admin.patch(role, Patch.MERGE, more).expect();
    Sharer a = new Sharer(world, nowhere, Duration.ZERO, Terms.DEFAULT);
    await("told").atMost(World.HANG).until(() -> a.homeless.get() > 2);
    assertThat(a.owned()).isZero();
  }
}
