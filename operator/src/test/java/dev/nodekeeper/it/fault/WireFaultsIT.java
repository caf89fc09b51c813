package dev.nodekeeper.it.fault;

import static dev.nodekeeper.it.World.through;
import static dev.nodekeeper.testbed.fault.Match.any;
import static dev.nodekeeper.testbed.fault.Match.list;
import static dev.nodekeeper.testbed.fault.Match.patch;
import static dev.nodekeeper.testbed.fault.Match.watch;
import static dev.nodekeeper.testbed.fault.Match.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.fault.FaultProxy;
import dev.nodekeeper.testbed.fault.FrameEdit;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The wire fails: every write is safe to repeat, every event may be late or twice")
final class WireFaultsIT {
  private static final String FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1";

  private final World world = new World();
  private final FaultProxy proxy = world.proxy();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName(
      "DELETED missing from the watch: a new uid inside MODIFIED is a return, the last view its tombstone")
  void deleteMissing() {
    world.keeper(through(proxy), "--settle=10s", "--settle-max=20s");
    world.register("n1");
    world.taint("n1", "dedicated=a:NoSchedule");
    await().atMost(World.HANG).until(() -> world.hasRecord("n1"));
    proxy.on(watch("nodes")).edit(FrameEdit.foldDeleteIntoModify("n1"));
    // Not captured yet when the node goes: only the last view has it.
    world.label("n1", "team", "late");
    String old = world.node("n1").path("metadata").path("uid").asText();
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", "late");
    assertThat(world.taints("n1")).containsExactly("dedicated=a:NoSchedule");
    assertThat(world.node("n1").path("metadata").path("uid").asText()).isNotEqualTo(old);
    world.awaitRecordLabel("n1", "team", "late");
  }

  @Test
  @DisplayName(
      "events twice or in the wrong order: a new list where the order broke, and the same end state")
  void repeatedAndSwapped() {
    Running keeper = world.keeper(through(proxy));
    var twice = proxy.on(watch("nodes")).edit(FrameEdit.repeat(_ -> true));
    proxy.on(watch("configmaps")).edit(FrameEdit.repeat(_ -> true));
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    int lists = proxy.count(list("nodes"));
    proxy.lift(twice);
    proxy.on(watch("nodes")).edit(FrameEdit.swapWithNext(frame -> frame.is("DELETED", "n1")));
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", "a");
    world.unlabel("n1", "team");
    world.awaitRecordLabel("n1", "team", null);
    world.settle(keeper);
    assertThat(world.labels("n1")).isEmpty();
    assertThat(proxy.count(list("nodes"))).isGreaterThan(lists);
  }

  @Test
  @DisplayName(
      "each of the first 12 replies lost after the write was done: nothing twice, no person overwritten")
  void repliesLost() {
    proxy.on(writes()).firstOnes(12).dropReply();
    Running keeper = world.keeper(through(proxy));
    List<Machine> machines = Fleet.machines("lost", 4);
    for (int life = 0; life < 2; life++) {
      String value = "life-" + life;
      world.fleet.register(machines);
      machines.forEach(m -> world.label(m.name(), "team", value));
      machines.forEach(m -> world.taint(m.name(), "dedicated=" + value + ":NoSchedule"));
      machines.forEach(m -> world.awaitRecordLabel(m.name(), "team", value));
      world.fleet.vanish(machines);
    }
    world.fleet.register(machines);
    machines.forEach(m -> world.awaitLabel(m.name(), "team", "life-1"));
    machines.forEach(m -> world.label(m.name(), "team", "person"));
    machines.forEach(m -> world.awaitRecordLabel(m.name(), "team", "person"));
    world.settle(keeper);
    for (Machine machine : machines) {
      assertThat(world.labels(machine.name())).containsOnly(Map.entry("team", "person"));
      assertThat(world.taints(machine.name())).containsExactly("dedicated=life-1:NoSchedule");
      assertThat(
              proxy.journal(patch(machine.path())).stream().filter(c -> c.status() == 200).count())
          .as("restores that landed on %s in two returns", machine.name())
          .isLessThanOrEqualTo(2);
    }
  }

  @Test
  @DisplayName("429: we wait as long as the server says, and then do it all")
  void tooManyRequests() {
    proxy.on(writes()).firstOnes(40).answer(429, Duration.ofSeconds(1));
    world.keeper(through(proxy));
    List<Machine> machines = Fleet.machines("busy", 20);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.label(m.name(), "team", m.name()));
    Parallel.each(machines, m -> world.awaitRecordLabel(m.name(), "team", m.name()));
    int writes = proxy.count(writes());
    System.out.println("429: " + writes + " writes for 20 records, 40 of them refused");
    // One per record and the refused ones, and what changed while it waited.
    assertThat(writes).isBetween(60, 100);
  }

  @Test
  @DisplayName(
      "an API server that turns us away but for one request at a time: nothing lost, also of nodes that went")
  void overload() {
    world.keeper(through(proxy));
    List<Machine> machines = Fleet.machines("over", 60);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.label(m.name(), "team", "old"));
    Parallel.each(machines, m -> world.awaitRecordLabel(m.name(), "team", "old"));
    rejectAllButOne();
    try {
      await("the server rejects us").atMost(World.HANG).until(this::rejected);
      Parallel.each(
          machines,
          m -> {
            world.taint(m.name(), "dedicated=" + m.name() + ":NoSchedule");
            world.label(m.name(), "team", m.name());
            world.vanish(m.name());
          });
      await("refused requests").atMost(World.HANG).until(() -> refused() >= 5);
    } finally {
      accept();
    }
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.awaitLabel(m.name(), "team", m.name()));
    System.out.println(
        "overload: " + refused() + " of " + proxy.journal().size() + " requests refused, 60 nodes");
    machines.forEach(
        m ->
            assertThat(world.taints(m.name()))
                .containsExactly("dedicated=" + m.name() + ":NoSchedule"));
  }

  private long refused() {
    return proxy.journal().stream().filter(call -> call.status() == 429).count();
  }

  private boolean rejected() {
    AtomicBoolean refused = new AtomicBoolean();
    Parallel.each(
        Collections.nCopies(16, "/api/v1/nodes"),
        path -> {
          if (world.plane.as(world.user).get(path).code() == 429) {
            refused.set(true);
          }
        });
    return refused.get();
  }

  @Test
  @DisplayName("answers slower than our patience: given up, looked at again, done once")
  void slowAnswers() {
    slow(Duration.ofSeconds(17));
  }

  @Test
  @Tag("long")
  @DisplayName("30 s slow answers: given up, looked at again, done once")
  void verySlowAnswers() {
    slow(Duration.ofSeconds(30));
  }

  private void slow(Duration delay) {
    Running keeper = world.keeper(through(proxy));
    for (String name : List.of("request", "reply")) {
      world.register(name);
      world.label(name, "team", "a");
      world.taint(name, "dedicated=a:NoSchedule");
      world.awaitRecordLabel(name, "team", "a");
      world.vanish(name);
    }
    await("quiet").atMost(World.HANG).until(keeper::idle);
    proxy.on(patch("/api/v1/nodes/request")).first().delay(delay, Duration.ZERO);
    proxy.on(patch("/api/v1/nodes/reply")).first().delay(Duration.ZERO, delay);
    world.register("request");
    world.register("reply");
    world.awaitLabel("reply", "team", "a");
    // Seen by us before our own patch is answered.
    world.label("reply", "team", "person");
    world.awaitRecordLabel("reply", "team", "person");
    world.awaitLabel("request", "team", "a");
    world.label("request", "team", "person");
    world.awaitRecordLabel("request", "team", "person");
    await("the late request")
        .atMost(World.HANG)
        .until(
            () ->
                proxy.journal(patch("/api/v1/nodes/request")).stream()
                    .allMatch(call -> call.status() > 0));
    world.settle(keeper);
    for (String name : List.of("request", "reply")) {
      assertThat(world.labels(name)).containsOnly(Map.entry("team", "person"));
      assertThat(world.taints(name)).containsExactly("dedicated=a:NoSchedule");
      assertThat(
              proxy.journal(patch("/api/v1/nodes/" + name)).stream()
                  .filter(c -> c.status() == 200)
                  .count())
          .as("restores that landed on " + name)
          .isEqualTo(1);
    }
  }

  @Test
  @Tag("long")
  @DisplayName(
      "a connection that is half-open for ever: given up after 150 s of silence, nothing lost")
  void halfOpen() {
    world.keeper(through(proxy));
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    var dead = proxy.on(any()).muteReplies();
    world.label("n1", "team", "b");
    world.vanish("n1");
    world.register("n1");
    // Only what was open stays dead; whoever connects anew is served.
    proxy.forget(dead);
    await("the watchdog")
        .atMost(Duration.ofMinutes(5))
        .untilAsserted(() -> assertThat(world.labelOf("n1", "team")).isEqualTo("b"));
  }

  /** Real priority and fairness: a level without seats runs one request at a time. */
  private void rejectAllButOne() {
    ObjectNode level =
        World.object("PriorityLevelConfiguration", world.namespace)
            .put("apiVersion", FLOW.substring(6));
    ObjectNode spec = level.putObject("spec").put("type", "Limited");
    spec.putObject("limited")
        .put("nominalConcurrencyShares", 0)
        .put("lendablePercent", 0)
        .put("borrowingLimitPercent", 0)
        .putObject("limitResponse")
        .put("type", "Reject");
    world.admin.create(FLOW + "/prioritylevelconfigurations", level).expect();
    ObjectNode schema =
        World.object("FlowSchema", world.namespace).put("apiVersion", FLOW.substring(6));
    ObjectNode flow = schema.putObject("spec").put("matchingPrecedence", 2);
    flow.putObject("priorityLevelConfiguration").put("name", world.namespace);
    ObjectNode rule = flow.putArray("rules").addObject();
    rule.putArray("subjects")
        .addObject()
        .put("kind", "User")
        .putObject("user")
        .put("name", world.user);
    ObjectNode what = rule.putArray("resourceRules").addObject();
    what.putArray("verbs").add("*");
    what.putArray("apiGroups").add("*");
    what.putArray("resources").add("*");
    what.putArray("namespaces").add("*");
    what.put("clusterScope", true);
    world.admin.create(FLOW + "/flowschemas", schema).expect();
  }

  private void accept() {
    world.admin.delete(FLOW + "/flowschemas/" + world.namespace).expect();
    world.admin.delete(FLOW + "/prioritylevelconfigurations/" + world.namespace).expect();
  }
}
