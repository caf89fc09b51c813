package dev.nodekeeper.console;

import dev.nodekeeper.core.keep.Survey;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.look.Age;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All nodes: how many are in which state, what happened last, and a page of them. */
final class FleetPage {
  private static final int LATEST = 8;

  private final Survey survey;
  private final Survey.Query query;
  private final Pulse pulse;
  private final Chronicle chronicle;
  private final Instant now;

  FleetPage(Survey survey, Survey.Query query, Pulse pulse, Chronicle chronicle, Instant now) {
    this.survey = survey;
    this.query = query;
    this.pulse = pulse;
    this.chronicle = chronicle;
    this.now = now;
  }

  String html(List<String> problems) {
    Html html = Frame.open("Fleet", query.text());
    problems.forEach(problem -> html.raw("<p class=problem role=alert>").text(problem).raw("</p>"));
    html.raw("<div id=live>");
    states(html);
    latest(html);
    html.raw("</div>");
    nodes(html);
    return Frame.close(html);
  }

  private void states(Html html) {
    html.raw("<h1>Fleet</h1><ul class=states>");
    for (State state : State.values()) {
      html.raw("<li").attribute("class", state.word()).raw("><a");
      html.attribute("href", address(Map.of("state", state.word()))).raw(">");
      html.raw("<b>").text(grouped(survey.states().getOrDefault(state, 0))).raw("</b> ");
      html.text(state.word()).raw("</a>");
      Plot.draw(html, state.word() + ", last hour", pulse.line(sample -> sample.of(state)));
      html.raw("</li>");
    }
    tile(html, "restored", chronicle.restored(), pulse.line(Pulse.Sample::restored));
    tile(html, "captured", chronicle.captured(), pulse.line(Pulse.Sample::captured));
    html.raw("</ul>");
  }

  private static void tile(Html html, String word, long number, List<Long> line) {
    html.raw("<li class=count><b>").text(grouped(number)).raw("</b> ").text(word);
    Plot.draw(html, word + ", last hour", line);
    html.raw("</li>");
  }

  private void latest(Html html) {
    List<Chronicle.Entry> entries = chronicle.latest(LATEST);
    if (entries.isEmpty()) {
      return;
    }
    html.raw("<h2>Just now</h2><table class=story><tbody>");
    for (Chronicle.Entry entry : entries) {
      html.raw("<tr>").cell(ago(entry.millis(), now)).raw("<td>");
      if (!entry.node().isEmpty()) {
        html.link(NodePage.address(entry.node()), entry.node());
      }
      html.raw("</td>").cell(entry.word()).cell(entry.text()).raw("</tr>");
    }
    html.raw("</tbody></table>");
  }

  static String ago(long millis, Instant now) {
    return Age.of(Instant.ofEpochMilli(millis).toString(), now) + " ago";
  }

  private void nodes(Html html) {
    html.raw("<h2 id=nodes>").text(grouped(survey.matching())).raw(" nodes");
    if (!query.text().isEmpty()) {
      html.raw(" with <q>").text(query.text()).raw("</q>");
    }
    query.states().forEach(state -> html.raw(", ").text(state.word()));
    html.raw("</h2>");
    if (survey.rows().isEmpty()) {
      html.raw("<p>None. <a href=/>All nodes</a></p>");
      return;
    }
    html.raw("<table class=nodes><thead><tr><th>Node</th><th>State</th><th>Labels</th>")
        .raw("<th>Taints</th><th>Annotations</th><th>Cordon</th></tr></thead><tbody>");
    for (Survey.Row row : survey.rows()) {
      html.raw("<tr><td>").link(NodePage.address(row.node()), row.node()).raw("</td><td");
      html.attribute("class", row.state().word())
          .raw(">")
          .text(row.state().word())
          .raw("</td><td>");
      html.text(row.labels()).raw("</td><td>").text(row.taints()).raw("</td><td>");
      html.text(row.annotations()).raw("</td>").cell(row.cordoned() ? "yes" : "").raw("</tr>");
    }
    html.raw("</tbody></table>");
    pages(html);
  }

  private void pages(Html html) {
    boolean before = query.backwards() ? survey.more() : !query.from().isEmpty();
    boolean after = query.backwards() || survey.more();
    html.raw("<nav class=pages>");
    if (before) {
      html.raw("<a id=prev rel=prev")
          .attribute("href", address(Map.of("before", survey.rows().getFirst().node())))
          .raw(">Previous</a>");
    }
    if (after) {
      html.raw("<a id=next rel=next")
          .attribute("href", address(Map.of("after", survey.rows().getLast().node())))
          .raw(">Next</a>");
    }
    html.raw("</nav>");
  }

  /** This query, with one thing more. */
  private String address(Map<String, String> more) {
    StringBuilder address = new StringBuilder("/?q=" + encoded(query.text()));
    if (!more.containsKey("state")) {
      query.states().forEach(state -> address.append("&state=").append(state.word()));
    }
    more.forEach(
        (name, value) -> address.append('&').append(name).append('=').append(encoded(value)));
    return address.append("#nodes").toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
