package dev.nodekeeper.core.model;

import static dev.nodekeeper.core.Given.annotation;
import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.taint;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is on a node or in a record")
class ContentTest {
  private static final Content ALL =
      things()
          .label("team", "a")
          .taint("d", "x")
          .taint(new Taint("d", "y", "NoExecute"))
          .annotation("note", "n")
          .cordon()
          .content();

  @Test
  @DisplayName("is the same when it says the same, whoever put it together")
  void same() {
    Content again =
        Content.of(
            Map.of("team", "a"),
            List.of(new Taint("d", "y", "NoExecute"), new Taint("d", "x", "NoSchedule")),
            Map.of("note", "n"),
            true);
    assertThat(again).isEqualTo(ALL).hasSameHashCodeAs(ALL).isNotEqualTo("it");
    assertThat(Content.of(ALL.toMap())).isEqualTo(ALL);
    assertThat(ALL.equals(ALL)).isTrue();
    assertThat(things().label("team", "b").content())
        .isNotEqualTo(things().label("team", "a").content())
        .isNotEqualTo(things().label("term", "b").content());
    assertThat(List.of(1, 2, 3, 4, 5).stream().map(i -> things().label("k", "" + i).content()))
        .extracting(Content::hashCode)
        .doesNotHaveDuplicates();
    assertThat(Content.EMPTY).isEqualTo(things().content()).hasToString("{}");
    assertThat(things().label("team", "a").content()).hasToString("{label:team=a}");
  }

  @Test
  @DisplayName("gives each part back")
  void parts() {
    assertThat(ALL.size()).isEqualTo(5);
    assertThat(ALL.isEmpty()).isFalse();
    assertThat(ALL.named(Kind.LABEL)).containsOnly(Map.entry("team", "a"));
    assertThat(ALL.named(Kind.ANNOTATION)).containsOnly(Map.entry("note", "n"));
    assertThat(ALL.taints())
        .containsExactly(new Taint("d", "y", "NoExecute"), new Taint("d", "x", "NoSchedule"));
    assertThat(ALL.unschedulable()).isTrue();
    assertThat(things().label("a", "b").content().unschedulable()).isFalse();
    assertThat(ALL.get(label("note"))).isNull();
    assertThat(ALL.filter(key -> key.kind() == Kind.LABEL).keys()).containsExactly(label("team"));
    assertThat(ALL.filter(_ -> true)).isSameAs(ALL);
  }

  @Test
  @DisplayName("of a taint that is there twice the first counts")
  void twice() {
    Content content =
        Content.of(
            Map.of(),
            List.of(new Taint("d", "1", "NoSchedule"), new Taint("d", "2", "NoSchedule")));
    assertThat(content.get(taint("d"))).isEqualTo("1");
  }

  @Test
  @DisplayName("differs in what was added, removed or changed, and in nothing else")
  void changed() {
    Content other = things().label("team", "b").taint("d", "x").annotation("more", "m").content();
    assertThat(ALL.changed(other))
        .containsExactlyInAnyOrder(
            label("team"),
            Key.taint("d", "NoExecute"),
            annotation("note"),
            annotation("more"),
            Key.CORDON);
    assertThat(other.changed(ALL)).isEqualTo(ALL.changed(other));
    assertThat(ALL.changed(ALL)).isEmpty();
  }

  @Test
  @DisplayName("has keys that people can read, and that are read back")
  void keys() {
    for (Key key : ALL.keys()) {
      assertThat(Key.parse(key.toString())).contains(key);
    }
    assertThat(Key.taint("a:b", "NoExecute")).hasToString("taint:a:b:NoExecute");
    assertThat(Key.parse("taint:a:b:NoExecute")).contains(Key.taint("a:b", "NoExecute"));
    Key odd = Key.taint("a", "No:%3A");
    assertThat(Key.parse(odd.toString())).contains(odd);
    for (String nonsense : List.of("", "cordons", "cordon:", "taint:x", "pod:x", "label")) {
      assertThat(Key.parse(nonsense)).as(nonsense).isEqualTo(Optional.empty());
    }
    assertThat(new Taint("k", "", "NoExecute")).hasToString("k:NoExecute");
    assertThat(new Taint("k", "v", "NoExecute")).hasToString("k=v:NoExecute");
  }

  @Test
  @DisplayName("a nonce of 128 bits vouches, a shorter one does not")
  void vouches() {
    assertThat(new Version(1, "n".repeat(22), "u", 1, ALL).vouches()).isTrue();
    assertThat(new Version(1, "n".repeat(21), "u", 1, ALL).vouches()).isFalse();
    assertThat(Given.record().nonce("short").label("a", "b").build().edited()).isTrue();
  }

  @Test
  @DisplayName("two looks at a node are alike unless something differs that can matter")
  void looksLike() {
    NodeState state = Given.node("u1").label("team", "a").taint("d", "x").state();
    assertThat(state.looksLike(Given.node("u1").label("team", "a").taint("d", "x").rv(99).state()))
        .isTrue();
    for (NodeState other :
        List.of(
            Given.node("u2").label("team", "a").taint("d", "x").state(),
            Given.node("u1").label("team", "b").taint("d", "x").state(),
            Given.node("u1").label("team", "a").state(),
            Given.node("u1").label("team", "a").taint("d", "x").terminating().state(),
            Given.node("u1").label("team", "a").taint("d", "x").marked("1.x").state(),
            Given.node("u1").label("team", "a").taint("d", "x").machine("m").state())) {
      assertThat(state.looksLike(other)).as("%s", other).isFalse();
    }
    NodeState marked = Given.node("u1").marked("1.x").state();
    assertThat(marked.looksLike(Given.node("u1").marked("1.x", label("a")).state())).isFalse();
    // Not kept by the policy, so only in the list that a patch has to send back.
    assertThat(
            Given.node("u1")
                .state()
                .looksLike(Given.node("u1").taint("node.kubernetes.io/not-ready", "").state()))
        .isFalse();
  }
}
