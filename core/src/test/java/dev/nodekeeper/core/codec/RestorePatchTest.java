package dev.nodekeeper.core.codec;

import static dev.nodekeeper.core.Given.annotation;
import static dev.nodekeeper.core.Given.keepEverything;
import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.taint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Taint;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A restore as one PATCH")
class RestorePatchTest {
  private static final Taint NOT_READY =
      new Taint("node.kubernetes.io/not-ready", "", "NoExecute", "2026-01-01T00:00:00Z");

  private static RestorePatch patch(Node node, Map<Key, Optional<String>> changes) {
    return new RestorePatch(node.state(), changes, "3.mac", "");
  }

  private static void assertJson(String actual, String expected) {
    assertThat(Json.raw(actual)).isEqualTo(Json.raw(expected.replace('\'', '"')));
  }

  @Test
  @DisplayName("carries uid and resourceVersion, and everything together")
  void merge() {
    Node node = node("u2").rv(12).label("x", "1").taint(NOT_READY).under(keepEverything());
    assertJson(
        patch(
                node,
                Map.of(
                    label("team"),
                    Optional.of("a"),
                    label("x"),
                    Optional.empty(),
                    taint("dedicated"),
                    Optional.of("a"),
                    annotation("note"),
                    Optional.of("n"),
                    Key.CORDON,
                    Optional.of("true")))
            .mergeBody(),
        """
        {'metadata': {'uid': 'u2', 'resourceVersion': '12',
           'labels': {'team': 'a', 'x': null},
           'annotations': {'nodekeeper.dev/restored': '3.mac', 'note': 'n'}},
         'spec': {'taints': [
             {'key': 'node.kubernetes.io/not-ready', 'effect': 'NoExecute',
              'timeAdded': '2026-01-01T00:00:00Z'},
             {'key': 'dedicated', 'value': 'a', 'effect': 'NoSchedule'}],
           'unschedulable': true}}
        """);
  }

  @Test
  @DisplayName("does not name the taints when it changes none, nor anything it does not write")
  void mergeLeast() {
    assertJson(
        patch(node("u2").rv(12).taint(NOT_READY), Map.of()).mergeBody(),
        """
        {'metadata': {'uid': 'u2', 'resourceVersion': '12',
           'annotations': {'nodekeeper.dev/restored': '3.mac'}}}
        """);
  }

  @Test
  @DisplayName("changes a taint's value in its place, and removes one, and keeps the others' times")
  void taints() {
    Node node = node("u2").rv(12).taint("a", "old").taint("b", "").taint(NOT_READY);
    String body =
        patch(node, Map.of(taint("a"), Optional.of("new"), taint("b"), Optional.empty()))
            .mergeBody();
    assertThat(Json.raw(body).path("spec").path("taints"))
        .isEqualTo(
            Json.raw(
                """
                [{"key":"a","value":"new","effect":"NoSchedule"},
                 {"key":"node.kubernetes.io/not-ready","effect":"NoExecute","timeAdded":"2026-01-01T00:00:00Z"}]
                """));
  }

  @Test
  @DisplayName("writes the withheld list beside the marker, and takes an old one away")
  void withheld() {
    Node node = node("u2").rv(12);
    String with = new RestorePatch(node.state(), Map.of(), "3.mac", "label:x").mergeBody();
    assertThat(with).contains("\"nodekeeper.dev/withheld\":\"label:x\"");
    Node listed = node("u2").rv(12).marked("2.mac", label("x"));
    assertThat(patch(listed, Map.of()).mergeBody()).contains("\"nodekeeper.dev/withheld\":null");
    assertThat(patch(listed, Map.of()).testedBody())
        .contains("\"op\":\"remove\",\"path\":\"/metadata/annotations/nodekeeper.dev~1withheld\"");
  }

  @Test
  @DisplayName("tested: uid, each written key, the marker, and the whole taint list")
  void tested() {
    Node node = node("u2").rv(12).label("x", "1").annotation("beat", "1").taint(NOT_READY);
    assertJson(
        patch(
                node,
                Map.of(
                    label("a.example/team~x"), Optional.of("a"),
                    label("x"), Optional.empty(),
                    taint("dedicated"), Optional.of("a")))
            .testedBody(),
        """
        [{'op': 'test', 'path': '/metadata/uid', 'value': 'u2'},
         {'op': 'test', 'path': '/metadata/deletionTimestamp', 'value': null},
         {'op': 'test', 'path': '/metadata/labels/a.example~1team~0x', 'value': null},
         {'op': 'add', 'path': '/metadata/labels/a.example~1team~0x', 'value': 'a'},
         {'op': 'test', 'path': '/metadata/labels/x', 'value': '1'},
         {'op': 'remove', 'path': '/metadata/labels/x'},
         {'op': 'test', 'path': '/metadata/annotations/nodekeeper.dev~1restored', 'value': null},
         {'op': 'add', 'path': '/metadata/annotations/nodekeeper.dev~1restored', 'value': '3.mac'},
         {'op': 'test', 'path': '/spec/taints', 'value': [
            {'key': 'node.kubernetes.io/not-ready', 'effect': 'NoExecute',
             'timeAdded': '2026-01-01T00:00:00Z'}]},
         {'op': 'add', 'path': '/spec/taints', 'value': [
            {'key': 'node.kubernetes.io/not-ready', 'effect': 'NoExecute',
             'timeAdded': '2026-01-01T00:00:00Z'},
            {'key': 'dedicated', 'value': 'a', 'effect': 'NoSchedule'}]}]
        """);
  }

  @Test
  @DisplayName("tested, where maps and list are absent: each is tested for null and added whole")
  void testedBare() {
    assertJson(
        patch(
                node("u2").rv(12).under(keepEverything()),
                Map.of(
                    label("a/b"),
                    Optional.of("1"),
                    label("c"),
                    Optional.of("2"),
                    taint("t"),
                    Optional.of(""),
                    Key.CORDON,
                    Optional.of("true")))
            .testedBody(),
        """
        [{'op': 'test', 'path': '/metadata/uid', 'value': 'u2'},
         {'op': 'test', 'path': '/metadata/deletionTimestamp', 'value': null},
         {'op': 'test', 'path': '/metadata/labels', 'value': null},
         {'op': 'add', 'path': '/metadata/labels', 'value': {'a/b': '1', 'c': '2'}},
         {'op': 'test', 'path': '/metadata/annotations', 'value': null},
         {'op': 'add', 'path': '/metadata/annotations', 'value': {'nodekeeper.dev/restored': '3.mac'}},
         {'op': 'test', 'path': '/spec/taints', 'value': null},
         {'op': 'add', 'path': '/spec/taints', 'value': [{'key': 't', 'effect': 'NoSchedule'}]},
         {'op': 'test', 'path': '/spec/unschedulable', 'value': null},
         {'op': 'add', 'path': '/spec/unschedulable', 'value': true}]
        """);
  }

  @Test
  @DisplayName("taints alone: no marker, no label; nothing at all where no taint changes")
  void taintsAlone() {
    RestorePatch both =
        patch(node("u2").rv(12), Map.of(label("x"), Optional.of("1"), taint("t"), Optional.of("")));
    assertJson(
        both.taintsAlone().orElseThrow().testedBody(),
        """
        [{'op': 'test', 'path': '/metadata/uid', 'value': 'u2'},
         {'op': 'test', 'path': '/metadata/deletionTimestamp', 'value': null},
         {'op': 'test', 'path': '/spec/taints', 'value': null},
         {'op': 'add', 'path': '/spec/taints', 'value': [{'key': 't', 'effect': 'NoSchedule'}]}]
        """);
    assertThat(patch(node("u2"), Map.of(label("x"), Optional.of("1"))).taintsAlone()).isEmpty();
  }
}
