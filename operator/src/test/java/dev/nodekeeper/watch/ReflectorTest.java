package dev.nodekeeper.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.pace.Backoff;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.telemetry.Metrics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ReflectorTest {
  private static final String LIST = "/api/v1/nodes?limit=500";
  private static final String STANDING = "/api/v1/nodes?limit=1";
  private static final String EXPIRED =
      "{\"kind\":\"Status\",\"reason\":\"Expired\",\"code\":410,\"message\":\"too old\"}";

  private final Stop stop = new Stop();
  private final ScriptedApi api = new ScriptedApi(stop);
  private final List<String> told = new ArrayList<>();
  private final Metrics metrics = new Metrics();
  private final WatchHealth health = new WatchHealth("nodes", System::nanoTime);
  private ListOrder.Place place = ListOrder.Place.ALONE;
  private UnaryOperator<List<NodeState>> familiar = UnaryOperator.identity();

  @Test
  @DisplayName("all pages become one list; the watch begins at its revision")
  void pages() {
    api.reply(200, list(10, "to ken/1", node("a", 3))).reply(200, list(10, "", node("b", 4)));

    run();

    assertThat(told).containsExactly("start", "listed a b @10");
    assertThat(api.asked).containsExactly(LIST, LIST + "&continue=to+ken%2F1", watchFrom(10));
    assertThat(health.isListed()).isTrue();
  }

  @Test
  @DisplayName("each page is taken in the memory of what is known before the next one is read")
  void familiarPages() {
    api.reply(200, list(10, "more", node("a", 3), node("b", 4)));
    api.reply(200, list(10, "", node("c", 5)));
    familiar =
        page -> {
          told.add("page of " + page.size());
          return page.stream().map(node -> node.named(node.name() + "'")).toList();
        };

    run();

    assertThat(told).containsExactly("start", "page of 2", "page of 1", "listed a' b' c' @10");
  }

  @Test
  @DisplayName("events and bookmarks are told in order; a watch that ends resumes after the last")
  void events() {
    api.reply(200, list(10, "")).stream(
        event("ADDED", node("a", 11)),
        event("MODIFIED", node("a", 12)),
        "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"resourceVersion\":\"15\"}}}",
        event("DELETED", node("a", 16)));

    run();

    assertThat(told)
        .containsExactly("start", "listed @10", "added a", "modified a", "to 15", "deleted a");
    assertThat(api.asked).containsExactly(LIST, watchFrom(10), watchFrom(16));
  }

  @Test
  @DisplayName("a cut watch resumes from the last event, without a list of everything")
  void cut() {
    api.reply(200, list(10, "")).stream(event("ADDED", node("a", 11)), "CUT");
    api.unreachable().reply(200, list(11, "more")).stream(event("MODIFIED", node("a", 12)));

    run();

    assertThat(told).containsExactly("start", "listed @10", "added a", "modified a");
    assertThat(api.asked)
        .containsExactly(LIST, watchFrom(10), STANDING, STANDING, watchFrom(11), watchFrom(12));
  }

  @Test
  @DisplayName("after a cut the server stands behind us (a restored etcd): a new list")
  void otherHistory() {
    api.reply(200, list(10, "")).stream(event("ADDED", node("a", 11)), "CUT");
    api.reply(200, list(7, "")).reply(200, list(7, ""));

    run();

    assertThat(told).containsExactly("start", "listed @10", "added a", "start", "listed @7");
  }

  @Test
  @DisplayName("410, as a status or as an event, leads to a new list")
  void expired() {
    api.reply(200, list(10, "")).reply(410, EXPIRED);
    api.reply(200, list(20, "")).stream("{\"type\":\"ERROR\",\"object\":" + EXPIRED + "}");
    api.reply(200, list(30, ""));

    run();

    assertThat(told)
        .containsExactly("start", "listed @10", "start", "listed @20", "start", "listed @30");
    assertThat(metrics.scrape()).contains("nodekeeper_relists_total{resource=\"nodes\"} 2.0");
  }

  @Test
  @DisplayName("410 between two pages: the list starts over, half of it is never told")
  void expiredPage() {
    api.reply(200, list(10, "more", node("a", 3))).reply(410, EXPIRED);
    api.reply(200, list(20, "", node("b", 4)));

    run();

    assertThat(told).containsExactly("start", "start", "listed b @20");
  }

  @Test
  @DisplayName("403, 500 or no answer between two pages: nothing is told as gone")
  void failingPage() {
    api.reply(200, list(10, "more", node("a", 3))).reply(403, "{}");
    api.reply(500, "oops").unreachable().reply(200, list(20, "", node("a", 3)));

    run();

    assertThat(told).containsExactly("start", "start", "start", "start", "listed a @20");
  }

  @Test
  @DisplayName("many pages are told as one list, in their order")
  void manyPages() {
    StringBuilder all = new StringBuilder("listed");
    for (int i = 0; i < 50; i++) {
      String last = "b" + i;
      api.reply(200, list(10, i < 49 ? "p" + i : "", node("a" + i, 3), node(last, 4)));
      all.append(" a").append(i).append(' ').append(last);
    }

    run();

    assertThat(told).containsExactly("start", all + " @10");
    assertThat(api.asked)
        .startsWith("/api/v1/nodes?limit=500", "/api/v1/nodes?limit=500&continue=p0")
        .contains("/api/v1/nodes?limit=500&continue=p48");
  }

  @Test
  @DisplayName("a second page that is none, though it says 200: half a list is never told")
  void emptyPage() {
    api.reply(200, list(10, "more", node("a", 3))).reply(200, "{}");
    api.reply(200, list(20, "", node("a", 3)));

    run();

    assertThat(told).containsExactly("start", "start", "listed a @20");
  }

  @Test
  @DisplayName(
      "one item of a list that cannot be read fails the list: without it, it would be gone")
  void badItem() {
    api.reply(200, list(10, "", node("a", 3), "{\"metadata\":{\"name\":\"b\"}}"));
    api.reply(200, list(20, "", node("a", 3)));

    run();

    assertThat(told).containsExactly("start", "start", "listed a @20");
  }

  @Test
  @DisplayName("one event that cannot be read is skipped and counted; later a list makes up for it")
  void badEvent() {
    api.reply(200, list(10, "")).stream(
        "{nonsense", event("ADDED", "{}"), event("ADDED", node("b", 12)));
    api.reply(200, list(20, ""));

    run();

    assertThat(told).containsExactly("start", "listed @10", "added b", "start", "listed @20");
    assertThat(metrics.scrape())
        .contains("nodekeeper_unreadable_objects_total{resource=\"nodes\"} 2.0");
  }

  @Test
  @DisplayName("a revision that goes back means another history: a new list")
  void backwards() {
    api.reply(200, list(10, "")).stream(event("MODIFIED", node("a", 5)));
    api.reply(200, list(6, ""));

    run();

    assertThat(told).containsExactly("start", "listed @10", "start", "listed @6");
  }

  @Test
  @DisplayName("a list that may not be told is asked for again, and only the other one is told")
  void tooOld() {
    var answers = new ArrayDeque<>(List.of(false, true));
    place =
        new ListOrder.Place() {
          @Override
          public boolean mayTell(int turn, Stop stop) {
            return answers.remove();
          }

          @Override
          public void told() {
            told.add("told");
          }
        };
    api.reply(200, list(10, "", node("a", 3))).reply(200, list(20, "", node("b", 4)));

    run();

    assertThat(told).containsExactly("start", "start", "listed b @20", "told");
  }

  @Test
  @DisplayName("what others wait for is known after the first page, and no sooner")
  void begun() {
    place =
        new ListOrder.Place() {
          @Override
          public void begun() {
            told.add("begun after " + api.asked.size());
          }
        };
    api.reply(500, "oops").reply(200, list(10, "more", node("a", 3)));
    api.reply(200, list(10, "", node("b", 4)));

    run();

    assertThat(told).containsExactly("start", "start", "begun after 2", "listed a b @10");
  }

  private void run() {
    Backoff quick =
        new Backoff(Duration.ofNanos(100), Duration.ofMillis(1), new SplittableRandom(1));
    new Reflector<>(
            api,
            new NodeFeed(new NodeReader(Policy.DEFAULT), familiar),
            input -> told.add(text(input)),
            health,
            metrics,
            quick,
            () -> true,
            place,
            stop)
        .run();
  }

  private static String text(Input input) {
    return switch (input) {
      case Input.NodeListStarted() -> "start";
      case Input.NodesListed(var nodes, var rv) ->
          Stream.concat(
                  Stream.of("listed"),
                  Stream.concat(nodes.stream().map(n -> n.name()), Stream.of("@" + rv)))
              .collect(Collectors.joining(" "));
      case Input.NodeAdded(var node) -> "added " + node.name();
      case Input.NodeModified(var node) -> "modified " + node.name();
      case Input.NodeDeleted(var node) -> "deleted " + node.name();
      case Input.NodeProgress(var rv) -> "to " + rv;
      default -> input.toString();
    };
  }

  private static String watchFrom(long rv) {
    return "/api/v1/nodes?watch=true&allowWatchBookmarks=true&resourceVersion=" + rv;
  }

  private static String list(long rv, String next, String... items) {
    return "{\"metadata\":{\"resourceVersion\":\"%d\",\"continue\":\"%s\"},\"items\":[%s]}"
        .formatted(rv, next, String.join(",", items));
  }

  private static String node(String name, long rv) {
    return "{\"metadata\":{\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"%d\"}}"
        .formatted(name, rv);
  }

  private static String event(String type, String object) {
    return "{\"type\":\"%s\",\"object\":%s}".formatted(type, object);
  }
}
