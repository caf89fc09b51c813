package dev.nodekeeper.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.fault.Call;
import dev.nodekeeper.testbed.fault.Frame;
import dev.nodekeeper.testbed.fault.FrameEdit;
import dev.nodekeeper.testbed.fault.Gate;
import dev.nodekeeper.testbed.fault.Match;
import dev.nodekeeper.testbed.fault.Rule;
import dev.nodekeeper.testbed.fault.Rule.Point;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Races of one of us with people, kubelets and the wire")
final class LifeRacesIT {
  private final World world = new World();
  private final Replica us = new Replica(world);

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  private String uid() {
    return world.node("n1").path("metadata").path("uid").asText();
  }

  private long recordRevision() {
    return Long.parseLong(world.admin.get(world.recordPath("n1")).resourceVersion());
  }

  @Test
  @DisplayName(
      "R1 edited, deleted and registered again before we hear of it: captured first, then restored")
  void r1() {
    us.remember("n1");
    Gate gate = us.holdNodes(frame -> frame.is("MODIFIED", "n1"));
    world.label("n1", "team", "b");
    world.vanish("n1");
    world.register("n1");
    gate.awaitArrived();
    assertThat(us.writes("n1")).isEmpty();
    gate.release();
    world.awaitLabel("n1", "team", "b");
    us.settle();
    assertThat(us.story("n1")).containsExactly("PUT 200", "PATCH 200");
    assertThat(us.writes("n1").getFirst().body()).contains("\\\"team\\\": \\\"b\\\"");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b", "rack", "r1"));
  }

  @Test
  @DisplayName("R2 two lives before any restore, the first untouched: the record stays, u3 gets it")
  void r2() {
    us.remember("n1");
    long revision = recordRevision();
    Gate gate = us.holdNodes(frame -> frame.is("DELETED", "n1"));
    world.vanish("n1");
    world.register("n1");
    world.vanish("n1");
    world.register("n1");
    gate.awaitArrived();
    assertThat(us.writes("n1")).isEmpty();
    gate.release();
    world.awaitLabel("n1", "team", "a");
    us.settle();
    assertThat(us.landed("n1")).hasSize(1).first().asString().contains("PATCH");
    assertThat(us.landed("n1").getFirst().body()).contains(uid());
    assertThat(recordRevision()).isEqualTo(revision);
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "a", "rack", "r1"));
  }

  @Test
  @DisplayName("R3 the same, but a person edits u2: merged from its last state, u3 gets that too")
  void r3() {
    us.remember("n1");
    Gate gate = us.holdNodes(frame -> frame.is("DELETED", "n1"));
    world.vanish("n1");
    world.register("n1");
    world.label("n1", "extra", "1");
    world.vanish("n1");
    world.register("n1");
    gate.awaitArrived();
    assertThat(us.writes("n1")).isEmpty();
    gate.release();
    world.awaitLabel("n1", "extra", "1");
    us.settle();
    assertThat(us.landed("n1")).extracting(Call::method).containsExactly("PUT", "PATCH");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "a", "rack", "r1", "extra", "1"));
    assertThat(world.record("n1").path("labels")).hasSize(3);
  }

  @Test
  @DisplayName(
      "R4 a person edits u2 while our patch is on its way: refused, then all but that restored")
  void r4() {
    us.rememberAndLose("n1");
    Gate gate = us.holdPatch("n1");
    world.register("n1");
    gate.awaitArrived();
    world.label("n1", "team", "person");
    gate.release();
    world.awaitLabel("n1", "rack", "r1");
    world.awaitRecordLabel("n1", "team", "person");
    us.settle();
    assertThat(us.story("n1")).containsExactly("PATCH 409", "PATCH 200", "PUT 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "person", "rack", "r1"));
  }

  @Test
  @DisplayName("R5 a restored label is removed before we hear of our own restore: it stays removed")
  void r5() {
    us.rememberAndLose("n1");
    Gate reply = us.proxy().on(Replica.patchOf("n1")).first().holdReply();
    Gate events = us.holdNodes(frame -> frame.is("MODIFIED", "n1"));
    world.register("n1");
    reply.awaitArrived();
    events.awaitArrived();
    assertThat(us.story("n1")).containsExactly("PATCH 200");
    world.unlabel("n1", "rack");
    reply.release();
    events.release();
    world.awaitRecordLabel("n1", "rack", null);
    us.settle();
    assertThat(us.story("n1")).containsExactly("PATCH 200", "PUT 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "a"));
  }

  @Test
  @DisplayName("R6 we die between our restore and its reply: the marker says so, nothing is sent")
  void r6() {
    us.rememberAndLose("n1");
    Gate reply = us.proxy().on(Replica.patchOf("n1")).first().holdReply();
    world.register("n1");
    reply.awaitArrived();
    us.crash();
    assertThat(us.story("n1")).containsExactly("PATCH 200");
    Replica next = new Replica(world);
    next.settle();
    assertThat(next.story("n1")).isEmpty();
    // Known, so that a removal counts.
    world.unlabel("n1", "rack");
    world.awaitRecordLabel("n1", "rack", null);
    next.settle();
    assertThat(next.story("n1")).containsExactly("PUT 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "a"));
  }

  @Test
  @DisplayName(
      "R7 the reply of our restore is lost, a person edits, we repeat it: refused, the edit stands")
  void r7() {
    us.rememberAndLose("n1");
    Gate events = us.holdNodes(frame -> frame.is("MODIFIED", "n1"));
    us.proxy()
        .on(Replica.patchOf("n1"))
        .first()
        .runAndCut(Point.BEFORE_REPLY, _ -> world.label("n1", "team", "person"));
    Gate again = us.proxy().on(Replica.patchOf("n1")).nth(2).holdRequest();
    world.register("n1");
    again.awaitArrived();
    assertThat(world.labelOf("n1", "team")).isEqualTo("person");
    again.release();
    await().atMost(World.HANG).until(() -> us.writes("n1").get(1).status() != 0);
    events.release();
    world.awaitRecordLabel("n1", "team", "person");
    us.settle();
    assertThat(us.story("n1")).startsWith("PATCH 200", "PATCH 409").endsWith("PUT 200");
    assertThat(us.landed("n1")).extracting(Call::method).containsExactly("PATCH", "PUT");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "person", "rack", "r1"));
  }

  @Test
  @DisplayName("R16 the new uid arrives as MODIFIED: the same as deleted and registered")
  void r16Modified() {
    us.remember("n1");
    Queue<String> shown = new ConcurrentLinkedQueue<>();
    Gate gate = new Gate();
    us.proxy()
        .on(Match.watch("nodes"))
        .edit(
            FrameEdit.hold(frame -> frame.is("MODIFIED", "n1"), gate)
                .then(FrameEdit.foldDeleteIntoModify("n1"))
                .then(frame -> noted(frame, shown)));
    world.label("n1", "team", "b");
    world.vanish("n1");
    world.register("n1");
    gate.awaitArrived();
    gate.release();
    world.awaitLabel("n1", "team", "b");
    us.settle();
    assertThat(shown).startsWith("MODIFIED", "MODIFIED").doesNotContain("ADDED", "DELETED");
    assertThat(us.story("n1")).containsExactly("PUT 200", "PATCH 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b", "rack", "r1"));
  }

  private static List<Frame> noted(Frame frame, Queue<String> shown) {
    if (frame.name().equals("n1")) {
      shown.add(frame.type());
    }
    return List.of(frame);
  }

  @Test
  @DisplayName("R16 the new uid arrives in a list after a 410: the same again")
  void r16Listed() {
    us.remember("n1");
    double modified = us.heard("nodes", "modified");
    double deleted = us.heard("nodes", "deleted");
    world.label("n1", "team", "b");
    us.awaitHeard("nodes", "modified", modified);
    Rule expired = us.proxy().on(Match.watch("nodes")).answer(410);
    Match pages = Match.list("nodes").and(call -> call.query().contains("limit=500"));
    Gate list = us.proxy().on(pages).first().holdRequest();
    us.proxy().cut(Match.watch("nodes"));
    list.awaitArrived();
    us.proxy().lift(expired);
    world.vanish("n1");
    world.register("n1");
    list.release();
    world.awaitLabel("n1", "team", "b");
    assertThat(us.proxy().journal(Match.watch("nodes"))).extracting(Call::status).contains(410);
    assertThat(us.heard("nodes", "deleted")).isEqualTo(deleted);
    us.settle();
    assertThat(us.landed("n1")).extracting(Call::method).containsExactly("PUT", "PATCH");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b", "rack", "r1"));
  }
}
