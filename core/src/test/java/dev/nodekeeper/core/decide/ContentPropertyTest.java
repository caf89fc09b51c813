package dev.nodekeeper.core.decide;

import static dev.nodekeeper.core.Given.keepEverything;
import static dev.nodekeeper.core.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whatever is on a node")
class ContentPropertyTest {

  private static Node random(String uid, SplittableRandom random) {
    Node node = node(uid).under(keepEverything());
    for (int i = random.nextInt(6); i > 0; i--) {
      node.label("l" + random.nextInt(9), "v" + random.nextInt(3));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      String effect = List.of("NoSchedule", "NoExecute", "PreferNoSchedule").get(random.nextInt(3));
      node.taint(new Taint("t" + random.nextInt(4), random.nextBoolean() ? "" : "v", effect));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      node.annotation("example.org/a" + random.nextInt(4), "text \u0001 " + random.nextInt(3));
    }
    return random.nextBoolean() ? node : node.cordon();
  }

  private static NodeRecord stored(Decision decision) {
    Decision.Write write = (Decision.Write) decision;
    NodeRecord next = NodeRecord.none(Given.NAME).next(write.draft(), Given.nonce(1), "now", 4);
    return (NodeRecord)
        RecordCodec.read(Given.NAME, new Origin("cm", 50, ""), RecordCodec.write(next));
  }

  @Test
  @DisplayName("comes back as it was: create, store, read, restore onto a bare node is identity")
  void identity() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 2_000; i++) {
      NodeState before = random("u1", random).rv(10).state();
      if (before.content().isEmpty()) {
        continue;
      }
      NodeView living = NodeView.living(before, Knowledge.registration(before));
      NodeRecord record = stored(Decider.decide(living, Optional.empty(), keepEverything()));
      Node bare = node("u2").under(keepEverything()).rv(60);
      Decision.Restore restore =
          (Decision.Restore)
              Decider.decide(bare.registered().view(), Optional.of(record), keepEverything());
      assertThat(restore.target()).isEqualTo(before.content());
      assertThat(restore.withheld()).isEmpty();
      NodeState after = withContent(bare.state(), restore, 61);
      assertThat(
              Decider.decide(
                  NodeView.living(after, Knowledge.found(after)),
                  Optional.of(record),
                  keepEverything()))
          .as("restored is in step")
          .isInstanceOf(Decision.Nothing.class);
    }
  }

  private static NodeState withContent(NodeState node, Decision.Restore restore, long rv) {
    return new NodeState(
        node.name(),
        node.uid(),
        rv,
        false,
        restore.target(),
        restore.target().taints(),
        Marker.of(restore.version(), node.uid(), ""),
        null,
        node.identity(),
        true,
        true,
        0);
  }

  @Test
  @DisplayName(
      "fits its record: too much is cut where a kubelet could set it, never taints or roles")
  void trimmed() {
    Node node = node("u1").under(keepEverything()).rv(10);
    node.label("node-role.kubernetes.io/gpu", "").taint("dedicated", "a").label("small", "s");
    for (int i = 0; i < 3; i++) {
      node.annotation("example.org/huge" + i, "\u0001".repeat(80_000 + i));
    }
    Decision.Write create =
        (Decision.Write)
            Decider.decide(node.registered().view(), Optional.empty(), keepEverything());
    Content kept = create.draft().content();
    assertThat(create.trimmed()).isNotEmpty().allMatch(key -> key.kind() == Kind.ANNOTATION);
    assertThat(create.trimmed()).contains(Key.annotation("example.org/huge2"));
    assertThat(kept.keys())
        .contains(
            Key.label("node-role.kubernetes.io/gpu"), Given.taint("dedicated"), Key.label("small"));
    NodeRecord record = stored(create);
    int bytes =
        RecordCodec.write(record).values().stream()
            .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
            .sum();
    assertThat(bytes).isLessThan(1_048_576);
    assertThat(
            Decider.decide(node.rv(90).registered().view(), Optional.of(record), keepEverything()))
        .as("a heartbeat of an oversized node is no change")
        .isInstanceOf(Decision.Nothing.class);
  }
}
