package dev.nodekeeper.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.look.Age;
import dev.nodekeeper.look.Owners;
import dev.nodekeeper.look.Standing;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One node beside its record, and the story of the two. */
final class NodePage {
  private final Standing standing;
  private final JsonNode node;
  private final Optional<NodeRecord> record;
  private final Instant now;

  /**
   * @param node the Node; missing when it is away
   */
  NodePage(Standing standing, JsonNode node, Optional<NodeRecord> record, Instant now) {
    this.standing = standing;
    this.node = node;
    this.record = record;
    this.now = now;
  }

  static String address(String name) {
    return "/nodes/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /**
   * @param events empty when they could not be read
   */
  String html(List<Chronicle.Entry> remembered, Optional<List<Chronicle.Entry>> events) {
    Html html = Frame.open(standing.node(), "");
    html.raw("<h1>").text(standing.node()).raw("</h1><p class=verdict><b");
    html.attribute("class", standing.state().word()).raw(">").text(standing.state().word());
    html.raw("</b> ").text(standing.why()).raw("</p>");
    sides(html);
    lives(html);
    story(html, remembered, events);
    return Frame.close(html);
  }

  private void sides(Html html) {
    html.raw("<h2>Node and record</h2>");
    if (standing.keys().isEmpty()) {
      html.raw("<p>Nothing that is kept.</p>");
      return;
    }
    Owners owners = Owners.of(node);
    html.raw("<table class=sides><thead><tr><th></th><th>Key</th><th>On the node</th>")
        .raw("<th>In the record</th><th></th><th>Set by</th></tr></thead><tbody>");
    for (Key key : standing.keys()) {
      String remark = standing.remark(key);
      html.raw("<tr").attribute("class", remark.replace(' ', '-')).raw(">");
      html.cell(key.kind().name().toLowerCase(Locale.ROOT));
      html.cell(key.effect().isEmpty() ? key.name() : key.name() + ":" + key.effect());
      value(html, standing.onNode(), key);
      value(html, standing.inRecord(), key);
      html.cell(remark);
      html.cell(
          owners
              .of(key)
              .filter(_ -> standing.onNode().orElse(Content.EMPTY).get(key) != null)
              .map(owner -> owner.manager() + ", " + Age.of(owner.time(), now) + " ago")
              .orElse(""));
      html.raw("</tr>");
    }
    html.raw("</tbody></table>");
    standing.notes().forEach(note -> html.raw("<p class=problem>").text(note).raw("</p>"));
  }

  private static void value(Html html, Optional<Content> side, Key key) {
    String value = side.orElse(Content.EMPTY).get(key);
    if (value == null) {
      html.raw("<td class=absent>-</td>");
    } else {
      html.raw("<td><code>").text(value).raw("</code></td>");
    }
  }

  private void lives(Html html) {
    html.raw("<h2>Lives</h2><table class=lives><thead><tr><th>Life</th><th>Version</th>")
        .raw("<th>What the record learnt</th></tr></thead><tbody>");
    String living = node.path("metadata").path("uid").asText("");
    List<Lives.Life> lives = record.map(Lives::of).orElse(List.of());
    if (!living.isEmpty() && lives.stream().noneMatch(life -> life.uid().equals(living))) {
      html.raw("<tr class=living>").cell(Lives.shortened(living) + ", living").cell("");
      html.cell("Nothing new so far.").raw("</tr>");
    }
    for (Lives.Life life : lives) {
      boolean alive = !living.isEmpty() && life.uid().equals(living);
      html.raw(alive ? "<tr class=living>" : "<tr>");
      html.cell(
          life.uid().isEmpty()
              ? "written by hand or imported"
              : Lives.shortened(life.uid()) + (alive ? ", living" : ""));
      html.raw("<td>").text(life.version()).raw("</td>").cell(life.changes()).raw("</tr>");
    }
    html.raw("</tbody></table>");
  }

  private void story(
      Html html, List<Chronicle.Entry> remembered, Optional<List<Chronicle.Entry>> events) {
    List<Chronicle.Entry> all = new ArrayList<>(remembered);
    events.ifPresent(all::addAll);
    created().ifPresent(all::add);
    captured().ifPresent(all::add);
    all.sort(Comparator.comparingLong(Chronicle.Entry::millis).reversed());
    html.raw("<h2>Time line</h2><table class=story><tbody>");
    for (Chronicle.Entry entry : all) {
      html.raw("<tr><td><time")
          .attribute("datetime", Instant.ofEpochMilli(entry.millis()).toString())
          .raw(">")
          .text(FleetPage.ago(entry.millis(), now))
          .raw("</time></td>")
          .cell(entry.word())
          .cell(entry.text())
          .raw("</tr>");
    }
    html.raw("</tbody></table><p class=faint>What this process has seen since it started");
    html.raw(
        events.isPresent()
            ? ", and the events of the cluster.</p>"
            : ". Events are not shown: it may not list them in namespace default.</p>");
  }

  private Optional<Chronicle.Entry> created() {
    return at(
        node.path("metadata").path("creationTimestamp").asText(""),
        "Created",
        "the living node, life " + Lives.shortened(node.path("metadata").path("uid").asText("")));
  }

  private Optional<Chronicle.Entry> captured() {
    return at(
        standing.capturedAt(),
        "Recorded",
        "version " + record.map(NodeRecord::generation).orElse(0L) + " of the record");
  }

  private Optional<Chronicle.Entry> at(String time, String word, String text) {
    try {
      return Optional.of(
          new Chronicle.Entry(Instant.parse(time).toEpochMilli(), standing.node(), word, text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
